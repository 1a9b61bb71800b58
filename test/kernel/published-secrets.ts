/**
 * Things that must not leave, in the forms that those who issue them have published: tokens, homes on three platforms,
 * addresses in many schemes, numbers of processes. Written from those forms and from what programs print, not from the
 * rules that find them; the values are made here and are nobody's.
 */
import type { Planted } from './redaction-corpus.ts';

const alphabets = {
  digit: '0123456789',
  hex: '0123456789abcdef',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  base62: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
};

// The same in every run.
let state = 20_260_101;
const next = (): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return state / 2_147_483_648;
};
const some = (alphabet: keyof typeof alphabets, length: number): string =>
  Array.from({ length }, () => alphabets[alphabet].charAt(Math.floor(next() * alphabets[alphabet].length))).join('');

/** `<base62:36>` in a form is so many characters of that alphabet. */
const made = /<(\w+):(\d+)>/g;

const pem = (kind: string): string => `-----BEGIN ${kind}-----\n<base64:64>\n<base64:64>\n-----END ${kind}-----`;

/** Whose, and the form. */
const tokenForms: readonly (readonly [string, string])[] = [
  ['GitHub, classic', 'ghp_<base62:36>'],
  ['GitHub, OAuth', 'gho_<base62:36>'],
  ['GitHub, app of a user', 'ghu_<base62:36>'],
  ['GitHub, app', 'ghs_<base62:36>'],
  ['GitHub, refresh', 'ghr_<base62:36>'],
  ['GitHub, fine-grained', 'github_pat_<base62:22>_<base62:59>'],
  ['GitLab, personal', 'glpat-<base64url:20>'],
  ['GitLab, runner', 'glrt-<base64url:20>'],
  ['GitLab, pipeline trigger', 'glptt-<hex:40>'],
  ['GitLab, registration', 'GR1348941<base64url:20>'],
  ['GitLab, feed', 'glft-<base64url:20>'],
  ['Slack, bot', 'xoxb-<digit:12>-<digit:13>-<base62:24>'],
  ['Slack, user', 'xoxp-<digit:12>-<digit:12>-<digit:13>-<hex:32>'],
  ['Slack, app', 'xapp-1-A<upper:10>-<digit:13>-<hex:64>'],
  ['Slack, configuration', 'xoxe.xoxp-1-<base62:160>'],
  ['AWS, access key', 'AKIA<base32:16>'],
  ['AWS, temporary key', 'ASIA<base32:16>'],
  ['AWS, secret key', 'aws_secret_access_key = <base64:40>'],
  ['AWS, Bedrock', 'ABSK<base64:109>='],
  ['Google, API key', 'AIza<base64url:35>'],
  ['Google, OAuth', 'ya29.<base64url:60>'],
  ['Google, client secret', 'GOCSPX-<base64url:28>'],
  ['Google, refresh token', '1//0<base64url:40>'],
  [
    'Azure, storage',
    'DefaultEndpointsProtocol=https;AccountName=films;AccountKey=<base64:86>==;EndpointSuffix=core.windows.net',
  ],
  ['Azure, shared access', '?sv=2022-11-02&ss=b&srt=sco&sp=rl&se=2026-01-01T00:00:00Z&sig=<base62:43>%3D'],
  ['Azure, client secret', '<base62:3>8Q~<base64url:34>'],
  ['Azure DevOps', 'azure_devops_pat=<lower:52>'],
  ['Azure, service bus', 'SharedAccessKeyName=Root;SharedAccessKey=<base64:43>='],
  ['OpenAI', 'sk-proj-<base64url:74>T3BlbkFJ<base64url:74>'],
  ['OpenAI, older', 'sk-<base62:20>T3BlbkFJ<base62:20>'],
  ['Anthropic', 'sk-ant-api03-<base64url:93>AA'],
  ['Hugging Face', 'hf_<base62:34>'],
  ['Replicate', 'r8_<base62:37>'],
  ['Groq', 'gsk_<base62:52>'],
  ['Perplexity', 'pplx-<base62:48>'],
  ['xAI', 'xai-<base62:80>'],
  ['OpenRouter', 'sk-or-v1-<hex:64>'],
  ['Cohere', 'COHERE_API_KEY=<base62:40>'],
  ['Stripe, secret', 'sk_live_<base62:24>'],
  ['Stripe, restricted', 'rk_live_<base62:24>'],
  ['Stripe, test', 'sk_test_<base62:24>'],
  ['Stripe, webhook', 'whsec_<base62:32>'],
  ['Twilio, account', 'AC<hex:32>'],
  ['Twilio, key', 'SK<hex:32>'],
  ['SendGrid', 'SG.<base64url:22>.<base64url:43>'],
  ['Mailgun', 'key-<hex:32>'],
  ['Mailchimp', '<hex:32>-us12'],
  ['Postmark', 'X-Postmark-Server-Token: <hex:8>-<hex:4>-4<hex:3>-a<hex:3>-<hex:12>'],
  ['Brevo', 'xkeysib-<hex:64>-<base62:16>'],
  ['npm', 'npm_<base62:36>'],
  ['npm, in its file', '//registry.npmjs.org/:_authToken=<hex:8>-<hex:4>-4<hex:3>-a<hex:3>-<hex:12>'],
  ['PyPI', 'pypi-AgEIcHlwaS5vcmc<base64url:70>'],
  ['RubyGems', 'rubygems_<hex:48>'],
  ['NuGet', 'oy2<lower:43>'],
  ['crates.io', 'cio<base62:32>'],
  ['Docker Hub', 'dckr_pat_<base64url:27>'],
  ['Docker, in its file', '{"auths":{"ghcr.io":{"auth":"<base64:40>="}}}'],
  ['DigitalOcean', 'dop_v1_<hex:64>'],
  ['Heroku', 'HRKU-AA<base64url:58>'],
  ['Linear', 'lin_api_<base62:40>'],
  ['Notion', 'ntn_<digit:11><base62:35>'],
  ['Notion, older', 'secret_<base62:43>'],
  ['Atlassian', 'ATATT3xFfGF0<base64url:170>=<upper:8>'],
  ['Bitbucket', 'ATBB<base62:24><upper:8>'],
  ['Shopify', 'shpat_<hex:32>'],
  ['Shopify, shared', 'shpss_<hex:32>'],
  ['Square', 'EAAA<base64url:60>'],
  ['Square, OAuth', 'sq0csp-<base64url:43>'],
  ['Databricks', 'dapi<hex:32>'],
  ['Vault, service', 'hvs.<base64url:90>'],
  ['Vault, older', 's.<base62:24>'],
  ['Terraform Cloud', '<base62:14>.atlasv1.<base64url:67>'],
  ['Okta', 'Authorization: SSWS 00<base64url:40>'],
  ['Telegram', '<digit:10>:AA<base64url:33>'],
  ['Discord, bot', 'MT<base62:24>.<base64url:6>.<base64url:38>'],
  ['Discord, webhook', 'https://discord.com/api/webhooks/<digit:18>/<base64url:68>'],
  ['Slack, webhook', 'https://hooks.slack.com/services/T<upper:8>/B<upper:10>/<base62:24>'],
  [
    'Teams, webhook',
    'https://films.webhook.office.com/webhookb2/<hex:8>-<hex:4>-4<hex:3>-a<hex:3>-<hex:12>@<hex:8>/IncomingWebhook/<hex:32>',
  ],
  ['Facebook', 'EAACEdEose0cBA<base62:80>'],
  ['Twitter', 'AAAAAAAAAAAAAAAAAAAAA<base62:80>'],
  ['Dropbox', 'sl.<base64url:130>'],
  ['Airtable', 'pat<base62:14>.<hex:64>'],
  ['Asana', '1/<digit:16>:<hex:32>'],
  ['Figma', 'figd_<base64url:40>'],
  ['Postman', 'PMAK-<hex:24>-<hex:34>'],
  ['New Relic', 'NRAK-<upper:27>'],
  ['New Relic, licence', '<hex:36>NRAL'],
  ['Grafana, service', 'glsa_<base62:32>_<hex:8>'],
  ['Grafana, cloud', 'glc_<base64:80>'],
  ['Sentry', 'sntrys_<base64:80>_<base64:43>'],
  ['Sentry, user', 'sntryu_<hex:64>'],
  ['Datadog', 'DD_API_KEY=<hex:32>'],
  ['Doppler', 'dp.pt.<base62:43>'],
  ['Netlify', 'nfp_<base62:36>'],
  ['Supabase', 'sbp_<hex:40>'],
  ['PlanetScale', 'pscale_tkn_<base64url:43>'],
  ['PlanetScale, password', 'pscale_pw_<base64url:43>'],
  ['Pulumi', 'pul-<hex:40>'],
  ['Prefect', 'pnu_<lower:36>'],
  ['Fly', 'fo1_<base64url:43>'],
  ['Render', 'rnd_<base62:32>'],
  ['Cloudflare, origin', 'v1.0-<hex:24>-<hex:146>'],
  ['Alibaba', 'LTAI<base62:20>'],
  ['Tencent', 'AKID<base62:32>'],
  ['Yandex', 'AQVN<base64url:35>'],
  ['Adafruit', 'aio_<base62:28>'],
  ['Duffel', 'duffel_live_<base64url:43>'],
  ['EasyPost', 'EZAK<base62:54>'],
  ['Frame.io', 'fio-u-<base64url:64>'],
  ['Typeform', 'tfp_<base64url:59>'],
  ['Shippo', 'shippo_live_<hex:40>'],
  ['JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEi<base64url:20>.<base64url:43>'],
  ['age', 'AGE-SECRET-KEY-1<base32:58>'],
  ['RSA key', pem('RSA PRIVATE KEY')],
  ['SSH key', pem('OPENSSH PRIVATE KEY')],
  ['PGP key', pem('PGP PRIVATE KEY BLOCK')],
  ['key of PKCS#8', pem('ENCRYPTED PRIVATE KEY')],
  ['.netrc', 'machine api.films.example login ada password <base62:16>'],
  ['htpasswd', 'ada:$apr1$<base62:8>$<base62:22>'],
  ['shadow', 'ada:$6$<base62:16>$<base64:86>:19700:0:99999:7:::'],
  ['bcrypt', '$2b$12$<base62:53>'],
  ['PostgreSQL, in the environment', 'PGPASSWORD=<base62:14> psql'],
  ['SQL Server', 'Server=db;Database=shots;User Id=farm;Password=<base62:14>;'],
  ['PostgreSQL', 'host=db user=farm password=<base62:14> dbname=shots'],
  ['.pgpass', 'db.films.example:5432:shots:farm:<base62:16>'],
  ['kubeconfig', 'client-key-data: <base64:120>='],
  ['Kubernetes', 'token: <base64url:120>'],
  ['basic authorization', 'Authorization: Basic <base64:28>='],
  ['bearer', 'authorization: bearer <base64url:32>'],
  ['cookie', 'Set-Cookie: connect.sid=s%3A<base64url:32>.<base64url:43>; Path=/; HttpOnly'],
  ['session in an address', 'GET /shots?JSESSIONID=<upper:32>'],
  ['curl', "curl -u 'farm:<base62:16>' https://films.example"],
  ['header of curl', "curl -H 'X-API-Key: <base62:24>' films"],
  ['mysql', 'mysql -ufarm -p<base62:14> shots'],
  ['sshpass', 'sshpass -p <base62:14> ssh farm'],
  ['git, extra header', 'http.extraheader=AUTHORIZATION: basic <base64:40>'],
  ['licence server', 'FLEXLM license key: <upper:5>-<upper:5>-<upper:5>-<upper:5>'],
  ['ShotGrid, script', 'SG_SCRIPT_KEY=<base62:26>'],
  ['YAML', "db:\n  password: '<base62:20>'"],
  ['Python', "client = connect(user='farm', passwd='<base62:16>')"],
  ['C#', 'var apiKey = "<base62:32>";'],
  ['XML', '<password><base62:16></password>'],
  ['properties', 'db.password=<base62:16>'],
  ['one-time code', 'otpauth://totp/films:ada?secret=<base32:32>&issuer=films'],
];

/** What of a form may not be left: its long runs of made characters. */
function coresOf(form: string): { text: string; gone: string[] } {
  const gone: string[] = [];
  const text = form.replaceAll(made, (_, alphabet, length) => {
    const part = some(alphabet as keyof typeof alphabets, Number(length));
    if (part.length >= 14) gone.push(part);
    return part;
  });
  return { text, gone: gone.length > 0 ? gone : [text] };
}

const home = 'lovelace';
/** Places of a user's files, as the documents of the systems and what programs print name them. */
const homes: readonly string[] = [
  ...['/home/lovelace', '/home/lovelace/films', '/home/lovelace/.config/svc/x.yaml', '/root/lovelace/a'],
  ...['/var/home/lovelace/x', '/usr/home/lovelace/x', '/export/home/lovelace/x', '/nfs/homes/lovelace/x'],
  ...['/home/films.example/lovelace/x', '/run/user/1000/lovelace.sock', '/run/media/lovelace/disk/x.ma'],
  ...['/media/lovelace/disk', '/tmp/lovelace-1000/x', '/snap/blender/1/home/lovelace', '/proc/self/cwd/lovelace'],
  ...['~lovelace/x', '~/lovelace/x.ma', '$HOME/lovelace/x', '$'.concat('{HOME}/lovelace/x'), '/mnt/c/Users/lovelace/x'],
  ...['/Users/lovelace', '/Users/lovelace/Library/Application Support/svc/x', '/Users/Shared/lovelace/x'],
  ...['/Users/lovelace/Documents/my films/shot 10.ma', '/Volumes/films of lovelace/x', '/private/var/lovelace/T/x'],
  ...['/System/Volumes/Data/Users/lovelace/x', '/Applications/lovelace.app/Contents/MacOS/maya'],
  ...['Macintosh HD:Users:lovelace:films:x.ma', 'file:///Users/lovelace/x', 'file://localhost/Users/lovelace/x'],
  ...['C:\\Users\\lovelace', 'C:\\Users\\lovelace\\AppData\\Roaming\\svc\\x', 'c:/Users/lovelace/x.ma'],
  ...['C:\\Documents and Settings\\lovelace\\x', 'D:\\films\\lovelace\\shot 10\\x.ma', '\\\\nas\\lovelace\\x.ma'],
  ...[
    '\\\\nas\\films$\\lovelace',
    '\\\\?\\C:\\Users\\lovelace\\x',
    '\\\\.\\C:\\Users\\lovelace',
    '/c/Users/lovelace/x',
  ],
  ...['/cygdrive/c/Users/lovelace/x', '%APPDATA%\\lovelace\\x', '%USERPROFILE%\\lovelace', '$env:APPDATA\\lovelace\\x'],
  ...['\\\\wsl$\\Ubuntu\\home\\lovelace\\x', '\\\\wsl.localhost\\Ubuntu\\home\\lovelace', 'C:\\Users\\LOVELA~1\\x'],
  ...['file:///C:/Users/lovelace/x', 'file://nas/films/lovelace/x', 'C:\\\\Users\\\\lovelace\\\\x'],
  ...['//nas/films/lovelace/x', '..\\..\\lovelace\\x.ma', '../lovelace/x', './lovelace/x', 'films/lovelace/x.ma'],
  ...['HKEY_CURRENT_USER\\Software\\lovelace\\x', 'HKCU:\\Software\\lovelace'],
];

/** Each of another scheme, of those registered or in use where films are made. */
const addresses: readonly string[] = [
  ...['http://lovelace.studio.example/x', 'https://lovelace.studio.example:8443/x?a=b', 'ws://lovelace:9000/x'],
  ...['wss://lovelace.example/x', 'ftp://lovelace.example/x', 'ftps://lovelace.example/x', 'sftp://ada@lovelace/x'],
  ...[
    'ssh://git@lovelace.example:22/x.git',
    'git://lovelace.example/x',
    'git+ssh://git@lovelace/x',
    'svn://lovelace/x',
  ],
  ...['git@lovelace.example:films/x.git', 'smb://lovelace/films', 'afp://lovelace/films', 'nfs://lovelace/films'],
  ...['cifs://lovelace/films', 's3://lovelace-films/x.exr', 'gs://lovelace-films/x.exr', 'az://lovelace/x'],
  ...['abfss://films@lovelace.dfs.core.windows.net/x', 'hdfs://lovelace:8020/x', 'postgres://farm@lovelace/shots'],
  ...['postgresql+psycopg2://farm@lovelace/shots', 'mysql://farm@lovelace/shots', 'mongodb+srv://lovelace.example/x'],
  ...['redis://lovelace:6379/0', 'rediss://lovelace:6380', 'amqp://lovelace:5672', 'mqtt://lovelace:1883'],
  ...['kafka://lovelace:9092', 'nats://lovelace:4222', 'ldap://lovelace:389/dc=x', 'ldaps://lovelace/dc=x'],
  ...['rtsp://lovelace:554/x', 'rtmp://lovelace/x', 'vnc://lovelace:5900', 'rdp://lovelace', 'telnet://lovelace'],
  ...[
    'jdbc:mysql://lovelace/shots',
    'jdbc:sqlserver://lovelace;databaseName=x',
    'p4://lovelace:1666',
    'tcp://lovelace:1',
  ],
  ...[
    'udp://lovelace:1',
    'unix:///run/lovelace.sock',
    'npipe:////./pipe/lovelace',
    'file:///lovelace/x',
    'data:text/plain,lovelace',
  ],
  ...[
    'mailto:lovelace@studio.example',
    'tel:+44-lovelace',
    'sip:lovelace@studio.example',
    'slack://channel?id=lovelace',
  ],
  ...[
    'vscode://file/lovelace/x',
    'chrome-extension://lovelace/x',
    'blob:https://lovelace.example/1',
    'omero://lovelace',
  ],
  ...[
    'shotgun://lovelace/x',
    'kitsu+https://lovelace/x',
    'grpc://lovelace:50051',
    'docker://lovelace/x',
    'oci://lovelace/x',
  ],
  ...['magnet:?xt=urn:btih:lovelace', 'urn:films:lovelace', 'about:lovelace', 'view-source:https://lovelace.example'],
];

const pid = '48213';
/** As programs, systems and logs print them. */
const processes: readonly string[] = [
  ...['pid 48213', 'PID 48213', 'pid=48213', 'pid: 48213', 'pid:48213', 'Pid: 48213', 'pid #48213', '(pid 48213)'],
  ...['"pid": 48213', '"processId":48213', '{"process_id": 48213}', 'processID=48213', 'parentPid: 48213'],
  ...['PPid:\t48213', 'ppid 48213', 'Process 48213 exited', 'process with id 48213', 'process id is 48213'],
  ...['Process ID: 48213', 'ProcessId : 48213', 'Child process 48213 died', 'child 48213 exited', 'subprocess 48213'],
  ...[
    'killed 48213',
    'kill -9 48213',
    'kill 48213',
    'pkill -P 48213',
    'taskkill /F /PID 48213',
    'Stop-Process -Id 48213',
  ],
  ...['mayapy[48213]: error', 'maya.bin (48213) crashed', 'Main PID: 48213 (svc)', 'Main Process exited, 48213'],
  ...['node    48213 ada   23u  IPv4', 'ada      48213  0.0  0.1 ? Ssl 10:00 svc', 'python.exe  48213 Console 1'],
  ...['48213/node', 'core.48213', 'hs_err_pid48213.log', '/tmp/perf-48213.map', '/proc/48213/maps', 'svc-48213.sock'],
  ...['[pid 48213] read(3', '[48213] 22 Nov 10:00', '==48213== Invalid read', 'attach 48213', 'LWP 48213', 'tid 48213'],
  ...['thread 48213', 'Thread-48213', '48213 (maya) S 1', 'started as 48213', 'worker 48213 is gone', 'PGID 48213'],
  ...[
    'pgrp=48213',
    'svc-maya.48213.host-errors.log',
    'maya-48213.jsonl',
    'session leader 48213',
    'gdb -p 48213',
    'strace -p48213',
  ],
];

const carried: readonly ((text: string) => string)[] = [
  text => text,
  text => `it failed: ${text}`,
  text => JSON.stringify({ message: `got ${text}`, level: 'error' }),
];

/** Every form once, each in another place. */
export const published: readonly (Planted & { kind: string })[] = [
  ...tokenForms.map(([kind, form], index) => {
    const { text, gone } = coresOf(form);
    const carry = carried[index % carried.length] ?? (each => each);
    return { kind, text: carry(text), gone };
  }),
  ...[...homes, ...addresses].map((text, index) => {
    const carry = carried[index % carried.length] ?? (each => each);
    return { kind: 'place', text: carry(text), gone: [home, 'lovela~1'] };
  }),
  ...processes.map((text, index) => {
    const carry = carried[index % carried.length] ?? (each => each);
    return { kind: 'process', text: carry(text), gone: [pid] };
  }),
];
