"""Small pages for tests of obstacles: pages sent in place of others, and pages that only look so.

Written for the purpose. Marks are those of the services; sentences are not.
"""

from __future__ import annotations

from typing import Final

SENTENCE: Final = "The mill by the river grinds rye, oats and barley for nine villages around it. "
ARTICLE: Final = f"<article><h1>The mill</h1>{f'<p>{SENTENCE * 5}</p>' * 8}</article>"
"""600 words."""
NAV: Final = (
    "<nav>" + "".join(f"<a href=/{i}>Part {i} of the site</a> " for i in range(12)) + "</nav>"
)


def page(body: str, title: str = "", head: str = "", attrs: str = "") -> str:
    """Write a page around a body."""
    return (
        f"<!doctype html><html {attrs}><head><title>{title}</title>{head}</head>"
        f"<body>{body}</body></html>"
    )


NOINDEX: Final = "<meta name=robots content='noindex, nofollow'>"
ENABLE: Final = "<noscript>This page works with scripts only.</noscript>"

CHALLENGES: Final = {
    "Cloudflare challenge": page(
        f"<h1>mill.test</h1><p>We look at your browser first.{ENABLE}"
        "<script>window._cf_chl_opt = {cvId: '3', cType: 'managed'};</script>",
        "Just a moment...",
        NOINDEX,
    ),
    "Cloudflare challenge in another language": page(
        "<h1>mill.test</h1><h2>Wird geprüft</h2>"
        "<script src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=1'></script>",
        "Einen Moment …",
    ),
    "Cloudflare error": page(
        "<div id='cf-error-details'><h1>Connection timed out <b>Error code 522</b></h1></div>",
        "mill.test | 522: Connection timed out",
    ),
    "Cloudflare block": page(
        "<h1>No entry</h1><p>Cloudflare Ray ID: <strong>0123456789abcdef</strong>", "No entry"
    ),
    "DataDome": page(
        "<p id=cmsg>Scripts, please</p><script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}"
        "</script><script src='https://ct.captcha-delivery.com/c.js'></script>",
        "mill.test",
    ),
    "HUMAN": page(
        "<h1>Hold the button</h1><div id=px-captcha></div><script>window._pxAppId='PX1'</script>",
        "mill.test",
    ),
    "HUMAN by its title": page("<p>Hold.</p>", "Access to this page has been denied"),
    "Imperva frame": page(
        "<iframe id=main-iframe src='/_Incapsula_Resource?CWUDNSAI=9&xinfo=1&incident_id=12-34'>"
        "</iframe>",
        head=NOINDEX,
    ),
    "Imperva stub": "<html><script src='/_Incapsula_Resource?SWJIYLWA=1'></script><body></html>",
    "Akamai denial": page(
        "<h1>Access Denied</h1><p>Reference&#32;&#35;18&#46;5f2e3b17&#46;1728304459&#46;2a1b",
        "Access Denied",
    ),
    "Akamai challenge": page("<div id='sec-if-cpt-container'><p>Wait</p></div>", "Wait"),
    "Akamai interstitial": page(
        "<p>…</p>", head="<meta http-equiv=refresh content=\"5; URL='/?bm-verify=AAQ'\">"
    ),
    "AWS WAF": page(
        f"<div id=challenge-container></div>{ENABLE}<script>window.gokuProps = {{}};</script>"
    ),
    "Kasada": page(
        "<script>window.KPSDK={};</script><script src='/149e9513-01fa-4fb0-aad4-566afd725d1b/"
        "2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?x=1'></script>"
    ),
    "Vercel": page("<p>Wait</p>", "Vercel Security Checkpoint"),
    "Anubis": page(
        "<h1>Are you real?</h1><img src='/.within.website/x/cmd/anubis/static/img/pensive.webp'>"
        f"<details><p>{SENTENCE * 12}</details>",
        "Are you real?",
    ),
    "DDoS-Guard": page("<script src='/.well-known/ddos-guard/js-challenge/index.js'></script>"),
    "Sucuri": page("<script>var sucuri_cloudproxy_js='',S='dGVzdA==';</script>", "Redirect"),
    "F5": page("Your support ID is: 4045204596866416688", "Request Rejected"),
    "Amazon": page(
        "<h4>Type what you see</h4><form action='/errors/validateCaptcha'><img src=a>"
        "<input name=field-keywords></form>",
        "mill.test",
    ),
    "Google": page(
        "<form id='captcha-form' action=index method=post><div class=g-recaptcha></div></form>",
        "https://mill.test/",
    ),
    "Alibaba": page("<script>location.replace('/x/_____tmd_____/punish?x5secdata=1')</script>"),
}
"""Bot checks and denials."""

CAPTCHAS: Final = {
    "reCAPTCHA alone": page(
        "<h1>Prove it</h1><p>Tick the box.</p><form method=post><input type=hidden name=t>"
        "<div class='g-recaptcha' data-sitekey=k></div>"
        "<textarea name=g-recaptcha-response></textarea></form>",
        "mill.test: prove it",
    ),
    "hCaptcha alone": page("<p>Tick the box.</p><div class=h-captcha></div>", "mill.test"),
    "Turnstile alone": page("<div class='big cf-turnstile'></div>", "mill.test"),
    "picture of letters": page(
        "<p>请输入验证码</p><form><img src=/kaptcha.jpg?t=1><input name=code></form>", "mill.test"
    ),
}

ERRORS: Final = {
    "nginx": page(
        "<center><h1>404 Not Found</h1></center><hr><center>nginx</center>", "404 Not Found"
    ),
    "Apache": page("<h1>Forbidden</h1><p>Not for you.</p>", "403 Forbidden"),
    "gone": page("<h1>Gone</h1><p>It was here.</p>", "410 Gone"),
    "too many": page("<h1>Too Many Requests</h1>", "429 Too Many Requests"),
    "gateway": page("<h1>502 Bad Gateway</h1>", "502 Bad Gateway"),
    "maintenance": page("<h1>Service Unavailable</h1><p>Back at noon.</p>", "Service Unavailable"),
    "without heading": page("<p><b>404.</b> That’s an error.<p>Sorry.", "Error 404 (Not Found)!!1"),
    "code alone": page("<h1>404</h1><p>Zur Startseite</p>", "404"),
    "WordPress in German": page(
        f"{NAV}<h1>Hoppla! Diese Seite konnte nicht gefunden werden.</h1><p>Suche</p>"
        f"<aside><p>{SENTENCE * 3}</p><p>{SENTENCE * 2}</p></aside>",
        "Seite nicht gefunden – Die Mühle",
        attrs="class=no-js",
    ).replace("<body>", "<body class='error404 wp-theme'>"),
    "Shopify": page(
        "<h1>Page not found</h1><a href=/>Shop on</a>", "404 Not Found – The Mill"
    ).replace("<body>", "<body id=404-not-found class='template-404'>"),
    "French": page("<h1>Page introuvable</h1>", "Erreur 404 | Le moulin"),
    "Spanish": page("<h1>Página no encontrada</h1>", "Página no encontrada - El molino"),
    "Russian": page("<h1>Ошибка 404</h1><p>К сожалению</p>", "Страница не найдена | Мельница"),
    "Chinese": page("<h1>您访问的页面不存在</h1>", "404 - 找不到页面"),
    "Japanese": page("<h1>お探しのページは見つかりませんでした</h1>", "ページが見つかりません"),
    "status stated": page(
        f"{NAV}<p>Nothing.</p>", "The mill", "<meta name=prerender-status-code content=404>"
    ),
    "Cloudflare 1xxx text": page(
        "<h1>Error 1015</h1><h2>You have been blocked</h2>", "Access denied"
    ),
}
"""Error pages, all of which say in title, heading or marks what they are."""

PARKED: Final = {
    "ads": page(
        "<script src=/main.js></script>", "mill.test", attrs=f"data-adblockkey='{'MFww' * 20}'"
    ),
    "lander": '<script>window.onload=function(){window.location.href="/lander"}</script>',
    "sale": page(
        "<h1>mill.test</h1><a href='https://www.hugedomains.com/domain_profile.cfm?d=mill'>Buy</a>"
    ),
    "default page": page(f"<h1>Welcome to nginx!</h1><p>{SENTENCE}", "Welcome to nginx!"),
}

WALLS: Final = {
    "login": page(
        "<h1>Sign in</h1><form action=/login><label>Name <input name=u></label>"
        "<label>Password <input type=password name=p></label><button>Go</button></form>",
        "Sign in",
    ),
    "login in Korean": page("<form>아이디 <input> 비밀번호 <input TYPE=PASSWORD></form>", "로그인"),
    "Google consent": page(
        f"<h1>First</h1><p>{SENTENCE * 12}</p>"
        "<form action='https://consent.google.com/save'><button>All</button></form>"
    ),
    "Yahoo consent": page(
        f"<form method=post><p>{SENTENCE * 15}</p><input type=hidden name=originalDoneUrl></form>"
    ),
    "cookie box": page(
        f"<header><a href=/>Mill</a></header><div id='cookie-banner'><p>{SENTENCE * 3}</p>"
        "<button>Yes</button></div>",
        "Mill",
    ),
    "age gate": page(
        f"<div class='age-gate open'><p>{SENTENCE}</p><button>18</button></div>", "Wine"
    ),
}

APPLICATIONS: Final = {
    "React": page(f"{ENABLE}<div id=root></div><script src=/main.js></script>", "Mill"),
    "React with a header and a footer": page(
        f"{NAV}<div id=root><div class=spinner>Loading …</div></div><footer>{SENTENCE}</footer>",
        "Mill",
    ),
    "Next.js": page(
        '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{}</script>',
        "Mill",
    ),
    "Nuxt": page("<div id=__nuxt></div><script>window.__NUXT__={}</script>", "Mill"),
    "Angular": page("<app-root></app-root><script src=/runtime.js></script>", "Mill"),
    "empty main": page(f"{NAV}<main class=shop><div></div></main><footer>© Mill</footer>", "Mill"),
    "root and a cookie box": page(
        f"<div id=app></div><div class='cookie-notice'><p>{SENTENCE * 9}</p></div>", "Mill"
    ),
    "message and scripts": page(
        f"{ENABLE}<div id=x7></div>" + "<script src=/a.js></script>" * 3, "Mill"
    ),
    "many scripts": page("<div id=x7></div>" + "<script src=/a.js></script>" * 8, "Mill"),
    "nothing but styles": page("", "Mill", "<link rel=stylesheet href=/a.css>"),
    "text in scripts": page(
        f'{NAV}<div id=x7></div><script>self.__next_f.push([1,"{{\\"body\\":\\"{SENTENCE * 20}'
        '\\"}"])</script>',
        "Mill",
    ),
}
"""Detection of pages that scripts would have to write."""

LEADS_ELSEWHERE: Final = {
    "meta refresh": page(
        "<p>It has moved.</p>", head="<meta http-equiv=Refresh content='0;url=/new'>"
    ),
    "script": page("<script>window.location.href = '/new';</script>", "Wait"),
    "frameset": "<html><frameset cols=*><frame src=a.html><frame src=b.html></frameset></html>",
    "frame": page("<iframe src=https://mill.test/app width=100%></iframe>", "Mill"),
}

ORDINARY: Final = {
    "article": page(NAV + ARTICLE, "The mill"),
    "article on 404": page(
        f"<h1>404 Not Found</h1><p>{SENTENCE * 30}</p>" * 2, "404 Not Found", NOINDEX
    ),
    "short help on 404": page(
        f"<h1>How to fix a 404 Not Found error</h1><p>{SENTENCE}</p><p>{SENTENCE * 3}</p>",
        "How to fix a 404 Not Found error | Help",
    ),
    "definition of 404": page(
        f"{NAV}<h1>404 Not Found</h1>" + f"<p>{SENTENCE * 2}</p>" * 6, "404 Not Found - Glossary"
    ),
    "road 410": page(f"<h1>Highway 410</h1><p>{SENTENCE}", "410 - Roads"),
    "car 500": page(f"<h1>500</h1><p>{SENTENCE}", "500 | Cars"),
    "poem": page(
        "<h1>Gone</h1>" + "<p>The wheel stands still,<br>the miller gone.</p>" * 6, "Gone"
    ),
    "film": page(f"<h1>Forbidden</h1><p>{SENTENCE * 2}", "Forbidden"),
    "captcha with comments": page(
        f"{ARTICLE}<form><textarea name=comment></textarea><div class=g-recaptcha></div></form>"
    ),
    "captcha in a contact form": page(
        "<h1>Write to us</h1><form><input name=name><textarea name=text></textarea>"
        "<div class=h-captcha></div></form>",
        "Write to us",
    ),
    "question on a challenge": page(
        "<h1>What is _cf_chl_opt?</h1><pre>&lt;script>window._cf_chl_opt={}&lt;/script></pre>"
        '<script type="application/json">{"q": "What is _cf_chl_opt?"}</script>'
        f"<p>{SENTENCE * 4}",
        "What is _cf_chl_opt?",
    ),
    "short page behind Cloudflare": page(
        f"<h1>Hours</h1><p>{SENTENCE}<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'>"
        "</script>",
        "Hours",
    ),
    "login beside content": page(
        f"<form><input type=password></form><h1>News</h1>{f'<p>{SENTENCE}</p>' * 7}", "News"
    ),
    "hidden login": page(
        f"<form style='display: none'><input type=password></form><p>{SENTENCE}", "Hours"
    ),
    "cookie box over content": page(
        f"<div id=cookie-banner><p>{SENTENCE * 3}</p></div><p>{SENTENCE * 3}</p>", "Hours"
    ),
    "few words": page("<h1>Mill</h1><p>Open from nine to five, closed on Sundays.", "Mill"),
    "few words and a counter": page("<p>It works!</p><script src=/count.js></script>", "Mill"),
    "pictures": page(
        f"{ENABLE}<h1>Mills</h1>"
        + "<figure><img src=a><figcaption>A mill near the sea</figcaption>" * 9,
        "Mills",
    ),
    "content for browsers without scripts": page(
        f"<section id=main></section><noscript>{f'<p>{SENTENCE}</p>' * 6}</noscript>"
        + "<script src=/a.js></script>" * 9,
        "Forum",
    ),
    "rendered application": page(
        f"<div id=__next><main><h1>Mill</h1><p>{SENTENCE * 4}</p></main></div>"
        f'<script id="__NEXT_DATA__">{{"text": "{SENTENCE * 20}"}}</script>',
        "Mill",
    ),
    "widget": page(f"<h1>Mill</h1>{f'<p>{SENTENCE}</p>' * 10}<div id=app></div>", "Mill"),
    "refreshing itself": page(f"<p>{SENTENCE}", "Live", "<meta http-equiv=refresh content=60>"),
    "refresh without scripts": page(
        f"<noscript><meta http-equiv=refresh content='0;url=/n'></noscript><p>{SENTENCE}", "Mill"
    ),
    "button that leads on": page(
        "<p>Mill</p><button onclick=\"location.href='/x'\">Go</button>", "Mill"
    ),
    "film in a frame": page(f"<h1>Film</h1><p>{SENTENCE}</p><iframe src=//film.test/1></iframe>"),
    "nothing": "",
    "text": "Just a few words.",
    "Chinese": page(
        "<h1>磨坊</h1><p>" + "河边的磨坊为周围的九个村庄磨黑麦、燕麦和大麦。" * 4, "磨坊"
    ),
}
"""Pages with content, or with nothing at all: no obstacle may be seen in them."""
