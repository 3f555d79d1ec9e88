//! Language tags (BCP 47).

/// The result of looking up a language tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LanguageTag {
    /// The primary language is registered.
    Known,
    /// The primary language may be registered: a three-letter code that is not in the engine's tables.
    Unsure,
    /// The registry has this two-letter code instead.
    Replaced(&'static str),
    /// No such language is registered, or the tag is malformed.
    Unknown,
}

impl LanguageTag {
    /// Looks up the primary language of a tag; the other subtags are ignored.
    pub(crate) fn parse(tag: &str) -> Self {
        let tag = tag.trim().to_ascii_lowercase();
        let primary = tag.split('-').next().unwrap_or_default();
        if !primary.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Self::Unknown;
        }
        match primary.len() {
            // Tags registered before RFC 4646 that have a replacement code.
            1 if primary == "i" && old_tag(&tag).is_some() => {
                old_tag(&tag).map_or(Self::Unknown, Self::Replaced)
            }
            // Private use, and old tags without a replacement.
            1 if matches!(primary, "i" | "x") && tag.len() > 2 => Self::Unsure,
            2 if has_word(TWO_LETTERS, primary) => Self::Known,
            3 if has_word(THREE_LETTERS, primary) || is_private_use(primary) => Self::Known,
            3 => replacement(primary).map_or(Self::Unsure, Self::Replaced),
            _ => Self::Unknown,
        }
    }
}

fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

fn is_private_use(primary: &str) -> bool {
    ("qaa"..="qtz").contains(&primary)
}

fn replacement(primary: &str) -> Option<&'static str> {
    REPLACED
        .split(' ')
        .filter_map(|pair| pair.split_once('='))
        .find_map(|(long, short)| (long == primary).then_some(short))
}

/// The code that replaced a grandfathered tag (RFC 5646, section 2.2.8; the registry's Preferred-Value).
fn old_tag(tag: &str) -> Option<&'static str> {
    const TAGS: [(&str, &str); 10] = [
        ("i-ami", "ami"),
        ("i-bnn", "bnn"),
        ("i-hak", "hak"),
        ("i-klingon", "tlh"),
        ("i-lux", "lb"),
        ("i-navajo", "nv"),
        ("i-pwn", "pwn"),
        ("i-tao", "tao"),
        ("i-tay", "tay"),
        ("i-tsu", "tsu"),
    ];
    let mut tags = TAGS.iter();
    tags.find_map(|(old, new)| (*old == tag).then_some(*new))
}

/// ISO 639-1, and the withdrawn codes that the registry keeps: bh, in, iw, ji, jw, mo, sh.
const TWO_LETTERS: &str = "\
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu \
    cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi \
    ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km \
    kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na \
    nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd \
    se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw \
    ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// ISO 639-2 codes of languages without a two-letter code, and common codes of ISO 639-3.
const THREE_LETTERS: &str = "\
    ace ach ada ady afa afh ain akk ale alg aln als alt ang anp apa apc arb arc arn arp art \
    arw ary arz ast ath aus awa azb azj bad bai bal ban bar bas bat bej bem ber bho bik bin \
    bla bnt bra btk bua bug byn cad cai car cau ceb cel chb chg chk chm chn cho chp chr chy \
    ckb cmc cmn cnr cop cpe cpf cpp crh crp csb cus dak dar day del den dgr din doi dra dsb \
    dua dum dyu efi egy eka ekk elx enm ewo ext fan fat fil fiu fon frm fro frp frr frs fur \
    gaa gay gba gem gez gil gmh goh gon gor got grb grc gsw gwi hai hak haw hil him hit hmn \
    hsb hup iba ijo ilo inc ine inh ira iro jbo jpr jrb kaa kab kac kam kar kaw kbd kha khi \
    khk kho kmb kmr kok kos kpe krc krl kro kru ksh kum kut lad lah lam lez lij lmo lol loz \
    ltg lua lui lun luo lus lvs mad mag mai mak man map mas mdf mdr men mga mic min mis mkh \
    mnc mni mno moh mos mul mun mus mwl mwr myn myv nah nai nan nap nds new nia nic niu nog \
    non nqo nso nub nwc nym nyn nyo nzi olo osa ota oto paa pag pal pam pap pau pcd pdc peo \
    pes pfl phi phn pms pon pra pro prs quz raj rap rar roa rom rue rup sad sah sai sal sam \
    sas sat scn sco sel sem sga sgn shn sid sio sit sla sma smi smj smn sms snk sog son srn \
    srr ssa stq suk sus sux swg swh syc syr szl tai tem ter tet tig tiv tkl tlh tli tmh tog \
    tpi tsi tum tup tut tvl tyv tzm udm uga umb und uzn vai vec vot vro wae wak wal war was \
    wen wls wuu xal yao yap ydd ypk yue zap zbl zen zgh znd zsm zun zxx zza";

/// ISO 639-2 codes that are not registered, because their language has a two-letter code
/// (RFC 5646, section 2.2.1).
const REPLACED: &str = "\
    aar=aa abk=ab afr=af aka=ak alb=sq amh=am ara=ar arg=an arm=hy asm=as ava=av ave=ae \
    aym=ay aze=az bak=ba bam=bm baq=eu bel=be ben=bn bih=bh bis=bi bod=bo bos=bs bre=br \
    bul=bg bur=my cat=ca ces=cs cha=ch che=ce chi=zh chu=cu chv=cv cor=kw cos=co cre=cr \
    cym=cy cze=cs dan=da deu=de div=dv dut=nl dzo=dz ell=el eng=en epo=eo est=et eus=eu \
    ewe=ee fao=fo fas=fa fij=fj fin=fi fra=fr fre=fr fry=fy ful=ff geo=ka ger=de gla=gd \
    gle=ga glg=gl glv=gv gre=el grn=gn guj=gu hat=ht hau=ha heb=he her=hz hin=hi hmo=ho \
    hrv=hr hun=hu hye=hy ibo=ig ice=is ido=io iii=ii iku=iu ile=ie ina=ia ind=id ipk=ik \
    isl=is ita=it jav=jv jpn=ja kal=kl kan=kn kas=ks kat=ka kau=kr kaz=kk khm=km kik=ki \
    kin=rw kir=ky kom=kv kon=kg kor=ko kua=kj kur=ku lao=lo lat=la lav=lv lim=li lin=ln \
    lit=lt ltz=lb lub=lu lug=lg mac=mk mah=mh mal=ml mao=mi mar=mr may=ms mkd=mk mlg=mg \
    mlt=mt mon=mn mri=mi msa=ms mya=my nau=na nav=nv nbl=nr nde=nd ndo=ng nep=ne nld=nl \
    nno=nn nob=nb nor=no nya=ny oci=oc oji=oj ori=or orm=om oss=os pan=pa per=fa pli=pi \
    pol=pl por=pt pus=ps que=qu roh=rm ron=ro rum=ro run=rn rus=ru sag=sg san=sa sin=si \
    slk=sk slo=sk slv=sl sme=se smo=sm sna=sn snd=sd som=so sot=st spa=es sqi=sq srd=sc \
    srp=sr ssw=ss sun=su swa=sw swe=sv tah=ty tam=ta tat=tt tel=te tgk=tg tgl=tl tha=th \
    tib=bo tir=ti ton=to tsn=tn tso=ts tuk=tk tur=tr twi=tw uig=ug ukr=uk urd=ur uzb=uz \
    ven=ve vie=vi vol=vo wel=cy wln=wa wol=wo xho=xh yid=yi yor=yo zha=za zho=zh zul=zu";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_primary_language_matters() {
        for tag in [
            "en",
            "EN-us",
            "en-US-GB",
            "zh-Hant-TW",
            "de-1996",
            "iw",
            "mul",
            "cmn-Hans",
        ] {
            assert_eq!(LanguageTag::parse(tag), LanguageTag::Known, "{tag}");
        }
    }

    #[test]
    fn names_typos_and_symbols_are_unknown() {
        for tag in [
            "english", "xx", "#1", "#!", "en_US", "e", "invalid", "-", "c", "x-",
        ] {
            assert_eq!(LanguageTag::parse(tag), LanguageTag::Unknown, "{tag}");
        }
    }

    #[test]
    fn a_three_letter_code_with_a_two_letter_equivalent_is_replaced() {
        assert_eq!(LanguageTag::parse("eng-US"), LanguageTag::Replaced("en"));
        assert_eq!(LanguageTag::parse("ger"), LanguageTag::Replaced("de"));
    }

    #[test]
    fn a_rare_code_is_unsure() {
        assert_eq!(LanguageTag::parse("aaa"), LanguageTag::Unsure);
        assert_eq!(
            LanguageTag::parse("i-klingon"),
            LanguageTag::Replaced("tlh")
        );
        assert_eq!(LanguageTag::parse("i-mingo"), LanguageTag::Unsure);
    }
}
