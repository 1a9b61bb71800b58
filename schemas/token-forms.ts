/**
 * Tokens that say by their beginning what they are, as their issuers have published it: a word by which a quick look
 * knows them, in any case of letters, and their form. Pure.
 */

const word = String.raw`[\w-]`;

/** Signs, with spaces between them: each token of the forms beside it has one. */
const rows: readonly (readonly [signs: string, form: string])[] = [
  ['ghp_ gho_ ghu_ ghs_ ghr_ github_', String.raw`gh[pousr]_\w{16,}|github_pat_\w{16,}`],
  ['glpat- gldt- glrt- glrtr- glptt- glft- glsoat- glcbt- glimt- glagent- glffct-', `gl[a-z]{2,6}-${word}{15,}`],
  ['gr1348941', `GR1348941${word}{16,}`],
  ['xox xapp-', `xox[a-z]-${word}{8,}|xapp-${word}{8,}`],
  ['sk- sk_ rk_ pk_ whsec_', String.raw`sk-${word}{16,}|[spr]k_(?:live|test)_\w{8,}|whsec_\w{8,}`],
  [
    'akia asia agpa aida aroa absk akid ltai',
    `A(?:KIA|SIA|GPA|IDA|ROA)[A-Z0-9]{12,}|ABSK[A-Za-z0-9+/]{40,}={0,2}|AKID\\w{13,}|LTAI\\w{12,}`,
  ],
  ['aiza ya29. 1//0 gocspx', String.raw`AIza${word}{30,}|ya29\.[\w.-]{10,}|1//0${word}{20,}|GOCSPX-${word}{10,}`],
  ['q~', String.raw`[\w.~-]{3}\dQ~[\w.~-]{30,}`],
  [
    'npm_ pypi- rubygems_ oy2 cio dckr_pat_',
    String.raw`npm_\w{16,}|pypi-${word}{16,}|rubygems_\w{32,}|oy2[a-z\d]{40,}|cio[A-Za-z\d]{32}|dckr_pat_${word}{16,}`,
  ],
  ['hf_ r8_ gsk_ pplx- xai-', String.raw`hf_\w{16,}|r8_\w{30,}|gsk_\w{30,}|pplx-\w{30,}|xai-\w{30,}`],
  ['sg. -us xkeysib-', String.raw`SG\.${word}{10,}\.${word}{10,}|[0-9a-f]{32}-us\d{1,2}|xkeysib-${word}{30,}`],
  [
    'shpa shpc shpp shps doo_ dop_ dor_ hvs. hvb. hvr. hrku-',
    String.raw`shp[a-z]{2}_\w{10,}|do[opr]_v1_\w{10,}|hv[sbr]\.${word}{10,}|HRKU-${word}{20,}`,
  ],
  [
    'atlasv1. fm1_ fm2_ fo1_ rnd_ pul- pnu_ v1.0-',
    String.raw`\w{14}\.atlasv1\.${word}{30,}|f(?:m1|m2|o1)_[\w+/=-]{20,}|rnd_\w{24,}|pul-[0-9a-f]{32,}|pnu_\w{30,}|v1\.0-[0-9a-f]{24}-[0-9a-f]{60,}`,
  ],
  [
    'lin_ ntn_ secret_ atatt atbb figd_ pmak- dapi',
    String.raw`lin_api_\w{10,}|ntn_\w{10,}|secret_\w{20,}|AT(?:ATT|CTT|BB)[\w=-]{20,}|figd_${word}{20,}|PMAK-${word}{10,}|dapi[0-9a-f]{20,}`,
  ],
  [
    'sq0 eaa dp. sl. aaaaaaaaaaaa',
    String.raw`sq0\w{3}-${word}{10,}|EAA[\w-]{40,}|dp\.\w{2,6}\.\w{20,}|sl\.${word}{60,}|A{12,}[A-Za-z\d%]{40,}`,
  ],
  [
    'age-secret-key-1 key- nrak- nral',
    String.raw`AGE-SECRET-KEY-1\w{10,}|key-[0-9a-f]{16,}|NRAK-\w{10,}|[0-9a-f]{36}NRAL`,
  ],
  [
    'glsa_ glc_ sntrys_ sntryu_ nfp_ sbp_ pscale_',
    String.raw`gls[ac]_\w{10,}|glc_[\w+/=]{30,}|sntry[su]_[\w+/=]{30,}|nfp_\w{30,}|sbp_\w{30,}|pscale_(?:tkn|pw|oauth)_${word}{30,}`,
  ],
  [
    'aqvn aio_ duffel_ ezak eztk fio-u- tfp_ shippo_',
    String.raw`AQVN${word}{30,}|aio_\w{20,}|duffel_(?:live|test)_${word}{30,}|EZ[AT]K\w{40,}|fio-u-${word}{40,}|tfp_${word}{40,}|shippo_(?:live|test)_\w{30,}`,
  ],
  ['0: 1: 2: 3: 4: 5: 6: 7: 8: 9:', String.raw`\d{8,10}:${word}{30,}|1/\d{13,20}:[0-9a-f]{32}`],
  ['eyj', String.raw`eyJ${word}{8,}\.${word}{4,}(?:\.${word}*){0,3}`],
];

export const tokenSigns: readonly string[] = rows.flatMap(([signs]) => signs.split(' '));
export const tokenForms: string = rows.map(([, form]) => form).join('|');
