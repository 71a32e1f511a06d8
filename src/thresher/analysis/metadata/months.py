"""Names of the months in some forty languages."""

from __future__ import annotations

from typing import Final

__all__ = ["MONTH_OF"]

_MONTHS: Final = (
    # English, German, French, Spanish, Italian, Portuguese, Dutch, Nordic, Polish, Czech, Turkish,
    # Hungarian, Romanian, Russian, Ukrainian, Greek; with the usual short forms. Then Catalan,
    # Croatian (October is left out: Poland's November), Bulgarian, Indonesian, Arabic, Hindi,
    # Slovak, Estonian, Lithuanian. Then Galician, Albanian, Azerbaijani, Macedonian, Serbian,
    # Hebrew, Persian, Georgian, Latvian, Icelandic, Basque.
    "january jan januar jänner jän janvier janv enero ene gennaio gen janeiro januari tammikuuta"
    " stycznia styczeń sty leden ledna ocak oca január ianuarie января янв січня ιανουαρίου"
    " gener siječnja януари يناير जनवरी januára jaanuar sausio ιανουάριος"
    " xaneiro janar yanvar јануари јануар ינואר בינואר ژانویه იანვარი janvāris janvārī"
    " janúar urtarrila",
    "february feb februar feber février févr fév febrero febbraio febb fevereiro fev februari"
    " helmikuuta lutego luty lut února únor şubat şub február februarie февраля фев февр лютого"
    " φεβρουαρίου"
    " febrer veljače февруари فبراير फरवरी फ़रवरी februára veebruar vasario φεβρουάριος"
    " febreiro shkurt fevral фебруари фебруар פברואר בפברואר فوریه თებერვალი februāris"
    " februārī febrúar otsaila",
    "march mar märz mrz mär mars marzo março maart mrt marts maaliskuuta marca marzec března březen"
    " mart március márc martie марта мар березня μαρτίου"
    " març ožujka maret март مارس मार्च märts kovo μάρτιος"
    " מרץ במרץ მარტი martā martxoa",
    "april apr avril avr abril abr aprile huhtikuuta kwietnia kwiecień kwi dubna duben nisan nis"
    " április ápr aprilie апреля апр квітня απριλίου"
    " travnja април أبريل إبريل ابريل अप्रैल apríla aprill balandžio"
    " prill aprel אפריל באפריל آوریل აპრილი aprīlis aprīlī apríl apirila",
    "may mai mayo maggio mag maio mei maj toukokuuta maja května květen mayıs május máj мая май"
    " травня μαΐου"
    " maig svibnja مايو mája gegužės"
    " мај מאי במאי მაისი maijs maijā maí maiatza",
    "june jun juni juin junio giugno giu junho kesäkuuta czerwca czerwiec cze června červen"
    " haziran haz június jún iunie июня июн червня ιουνίου"
    " juny lipnja юни يونيو يونيه जून juuni júna birželio"
    " xuño qershor iyun јуни јун יוני ביוני ژوئن ივნისი jūnijs jūnijā júní ekaina junij",
    "july jul juli juillet juil julio luglio lug julho heinäkuuta lipca lipiec lip července"
    " červenec temmuz tem július júl iulie июля июл липня ιουλίου"
    " juliol srpnja юли يوليو يوليه जुलाई juuli júla liepos"
    " xullo korrik iyul јули јул יולי ביולי ژوئیه ივლისი jūlijs jūlijā júlí uztaila julij",
    "august aug août aoû agosto ago augustus augusti elokuuta sierpnia sierpień sie srpna srpen"
    " ağustos ağu augusztus августа авг серпня αυγούστου"
    " agost kolovoza agustus август أغسطس اغسطس अगस्त augusta rugpjūčio"
    " gusht avqust אוגוסט באוגוסט اوت აგვისტო augusts augustā ágúst abuztua avgust",
    "september sep sept septembre septiembre settembre set sett setembro syyskuuta września"
    " wrzesień wrz září eylül eyl szeptember szept septembrie сентября сен сент вересня"
    " σεπτεμβρίου"
    " setembre rujna септември سبتمبر सितंबर सितम्बर septembra rugsėjo"
    " shtator sentyabr септембри септембар ספטמבר בספטמבר سپتامبر სექტემბერი septembris"
    " septembrī iraila septembar",
    "october oct oktober okt octobre octubre ottobre ott outubro out lokakuuta października"
    " październik paź října říjen ekim eki október octombrie октября окт жовтня οκτωβρίου"
    " октомври أكتوبر اكتوبر अक्टूबर oktoober októbra spalio"
    " tetor oktyabr октобар אוקטובר באוקטובר اکتبر ოქტომბერი oktobris oktobrī urria oktobar",
    "november nov novembre noviembre novembro marraskuuta listopada listopad lis kasım kas"
    " noiembrie ноября ноя нояб листопада νοεμβρίου"
    " studenoga ноември نوفمبر नवंबर नवम्बर novembra lapkričio"
    " nëntor noyabr новембар נובמבר בנובמבר نوامبر ნოემბერი novembris novembrī nóvember"
    " azaroa novembar",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro desember des joulukuuta"
    " grudnia grudzień gru prosince prosinec aralık ara decembrie декабря дек грудня δεκεμβρίου"
    " desembre prosinca декември ديسمبر दिसंबर दिसम्बर detsember decembra gruodžio"
    " decembro dhjetor dekabr децембар דצמבר בדצמבר دسامبر დეკემბერი decembris decembrī"
    " abendua decembar",
)
"""Names of the months, wide and abbreviated, as written in dates (after Unicode CLDR 45)."""
MONTH_OF: Final = {
    name: month for month, names in enumerate(_MONTHS, start=1) for name in names.split()
}
"""Name in lower case → number of the month."""
