"""Style sheet of the report on one page, for phones and desktops, light and dark.

Blue is content and orange is boilerplate, a pair that is distinguishable with all common kinds of
colour blindness; dropped text is also struck out, so that the page is readable without colour.
"""

from __future__ import annotations

from typing import Final

__all__ = ["STYLE"]

STYLE: Final = """
:root{color-scheme:light dark;--paper:#faf9f6;--card:#fff;--ink:#1b2126;--soft:#59636b;
--line:#dcdcd4;--content:#1a6aae;--boilerplate:#c2540f;--region:#1a6aae1c;--tint:26%}
@media (prefers-color-scheme:dark){:root{--paper:#121619;--card:#1a1f23;--ink:#e5e8e6;
--soft:#9ba6ad;--line:#30383d;--content:#6cb2ee;--boilerplate:#f0985a;--region:#6cb2ee26;--tint:30%}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0 auto;max-width:84rem;padding:clamp(1rem,3vw,2.5rem);background:var(--paper);
color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:clamp(1.5rem,1.1rem + 2vw,2.25rem);line-height:1.15;margin:.2rem 0 .4rem;
text-wrap:balance}
h2{font-size:1.2rem;line-height:1.25;margin:0 0 .75rem}
p{margin:.25rem 0}a{color:inherit;text-underline-offset:.15em}
code{font:.9em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
:focus-visible{outline:2px solid var(--content);outline-offset:2px}
.soft{color:var(--soft)}.small{font-size:.875rem}
nav{display:flex;gap:1.2rem;margin:1rem 0 0}
.facts{display:grid;gap:1.5rem 2.5rem;margin:1.5rem 0 2rem;padding:1.25rem 0;
border-block:1px solid var(--line)}
@media (min-width:52rem){.facts{grid-template-columns:minmax(0,1.3fr) minmax(0,1fr)}}
.facts h2{margin-bottom:.3rem}.facts h2:not(:first-child){margin-top:1.25rem}
.share{margin:0 0 .8rem}
.share p{display:flex;justify-content:space-between;gap:1rem;margin:0 0 .3rem}
.share b{font-size:1.35rem;line-height:1.2;font-variant-numeric:tabular-nums}
.track{height:.5rem;border-radius:.25rem;background:var(--line);overflow:hidden}
.track i{display:block;height:100%;background:var(--content)}
summary{cursor:pointer}
.settings dl{display:grid;gap:.6rem;margin:.6rem 0 0}.settings dt{font-weight:600}
.settings dd{margin:0}.settings dd{color:var(--soft)}
.chart{margin:0 0 1rem}.chart figcaption{margin:0 0 .35rem;font-size:.875rem}
.chart figcaption span{color:var(--soft)}
.plot{display:grid;grid-template-columns:3.5rem minmax(0,1fr)}
.scale{position:relative;font-size:.75rem;font-variant-numeric:tabular-nums;color:var(--soft)}
.scale span{position:absolute;right:.4rem;line-height:1;white-space:nowrap;
transform:translateY(-50%)}
.scale .limit{color:var(--ink);font-weight:600}
.plot svg{display:block;width:100%;height:6.5rem;background:var(--card);
box-shadow:0 0 0 1px var(--line)}
.plot .region{fill:var(--region)}.plot .hit{fill:transparent}
.plot a:hover .hit{fill:color-mix(in srgb,var(--ink) 16%,transparent)}
.plot .in{fill:var(--content)}.plot .out{fill:color-mix(in srgb,var(--boilerplate) 78%,var(--card))}
.plot line{vector-effect:non-scaling-stroke;stroke:var(--soft);stroke-width:1}
.plot .limit{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 4}
.axis{display:flex;justify-content:space-between;gap:1rem;margin:-.5rem 0 2.5rem;
padding-left:3.5rem;font-size:.75rem;color:var(--soft)}
.key{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;align-items:center;margin:.5rem 0 .75rem;
font-size:.875rem}
#blocks>input{margin:0 .35rem 0 0;vertical-align:-.1em}
#blocks>label{margin-right:1.2rem;font-size:.875rem;cursor:pointer}
.ramp{display:inline-flex;align-items:center;gap:.5rem;color:var(--soft)}
.ramp i{width:6rem;height:.75rem;border-radius:.2rem;background:linear-gradient(to right,
var(--boilerplate),var(--card),var(--content));box-shadow:0 0 0 1px var(--line)}
.columns{display:grid;gap:2.5rem}
@media (min-width:60rem){.columns{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.result{position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow:auto}}
.blocks{list-style:none;margin:0;padding:0;font-size:.9375rem}
.blocks li{--pole:var(--content);margin:0 0 2px;border-left:5px solid
color-mix(in oklab,var(--pole) calc(var(--s)*100%),var(--line));
background:color-mix(in oklab,var(--pole) calc(var(--s)*var(--tint)),var(--card));
scroll-margin-top:1rem}
.blocks .lo{--pole:var(--boilerplate)}
.blocks li:target{outline:2px solid var(--ink);outline-offset:-2px}
.blocks summary{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.75rem;
padding:.35rem .6rem;list-style:none;align-items:baseline}
.blocks summary::-webkit-details-marker{display:none}
.blocks summary:hover{background:color-mix(in srgb,var(--ink) 5%,transparent)}
.blocks summary:focus-visible{outline-offset:-2px}
.text{white-space:pre-line}.none{font-style:italic;color:var(--soft)}
.dropped .text{color:color-mix(in srgb,var(--ink) 72%,var(--card));text-decoration:line-through;
text-decoration-color:color-mix(in srgb,currentColor 55%,transparent)}
.score{font-size:.8rem;font-variant-numeric:tabular-nums;
color:color-mix(in srgb,var(--ink) 78%,var(--card))}
.why{margin:0;padding:.1rem .6rem .6rem;font-size:.8125rem;display:grid;
grid-template-columns:auto minmax(0,1fr);gap:.15rem .75rem}
.effects{list-style:none;margin:0;padding:0}
.effects b{display:inline-block;min-width:3.5em;font-variant-numeric:tabular-nums}
.effects .up b{color:var(--content)}.effects .down b{color:var(--boilerplate)}
.why dt{color:color-mix(in srgb,var(--ink) 72%,var(--card))}.why dd{margin:0}
#only-kept:checked~.blocks .dropped,#only-dropped:checked~.blocks .kept{display:none}
.paper{background:var(--card);border:1px solid var(--line);padding:clamp(1rem,2.5vw,2rem);
font:1.0625rem/1.6 ui-serif,Charter,Georgia,serif}
.paper h1,.paper h2,.paper h3,.paper h4{font-family:system-ui,sans-serif;line-height:1.25;
margin:1.4em 0 .5em;font-size:1.15rem}.paper h1{font-size:1.5rem}.paper h2{font-size:1.3rem}
.paper p{margin:0 0 1em}.paper>:first-child{margin-top:0}.paper>:last-child{margin-bottom:0}
.paper img{max-width:100%;height:auto}.paper table{display:block;overflow-x:auto;
border-collapse:collapse;font-size:.9em}.paper td,.paper th{padding:.25rem .6rem;
border:1px solid var(--line);text-align:start;overflow-wrap:normal}
.paper pre,.paper math{overflow-x:auto;max-width:100%}.paper pre{padding:.75rem;
background:var(--paper)}.paper figure{margin:1.5rem 0}.paper figcaption{font-size:.875rem;
color:var(--soft)}.paper blockquote{margin:1rem 0;padding-left:1rem;
border-left:3px solid var(--line)}.paper ul,.paper ol{padding-left:1.4rem}
@media print{.result{position:static;max-height:none;overflow:visible}}
"""
"""The style sheet, with widths in rem so that it follows the reader's font size."""
