/** Texts with something planted that must not leave: each says what of it must be gone. */

export interface Planted {
  text: string;
  /** None of them may be left, in any case of letters. */
  gone: readonly string[];
}

const repeat = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const mixed = (length: number): string => repeat('aB3dE6gH9jK2mN5', length);
const hex = (length: number): string => repeat('3f9a0c7e1b', length);

/** Made here, in the forms of their issuers; none is anybody's. */
export const tokens: readonly string[] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'].map(each => each + mixed(36)),
  ...['glpat-', 'gldt-', 'glrt-', 'xoxb-', 'xoxp-', 'xapp-', 'sk-', 'sk-ant-api03-', 'sk-proj-'].map(
    each => each + mixed(24),
  ),
  ...['sk_live_', 'rk_live_', 'pk_test_', 'whsec_', 'npm_', 'hf_', 'lin_api_', 'ntn_', 'secret_', 'glsa_', 'NRAK-'].map(
    each => each + mixed(30),
  ),
  ...['AKIA', 'ASIA', 'AROA'].map(each => `${each}Q3EGX7N2VFH4TJ5M`),
  ...['shpat_', 'shpss_', 'dop_v1_', 'dapi', 'key-', 'hvs.', 'hvb.'].map(each => each + hex(32)),
  ...['AIza', 'pypi-', 'GOCSPX-', '1//0', 'ya29.a0', 'PMAK-', 'sq0atp-', 'dp.pt.'].map(each => each + mixed(35)),
  `SG.${mixed(22)}.${mixed(43)}`,
  `AGE-SECRET-KEY-1${mixed(40).toUpperCase()}`,
  `1234567890:${mixed(35)}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.${mixed(30)}`,
  hex(40),
  mixed(40),
];

const carriers: readonly ((secret: string) => string)[] = [
  secret => `the call failed with ${secret}`,
  secret => JSON.stringify({ arguments: { note: secret }, ok: false }),
];

const hidden = ['hunter2', 'Tr0ub4dor&3', 'correct-horse'];
const keyed: readonly ((secret: string) => string)[] = [
  secret => `password=${secret}`,
  secret => `DB_PASSWORD: ${secret}`,
  secret => `{"api_key":"${secret}"}`,
  secret => `{\\"clientSecret\\":\\"${secret}\\"}`,
  secret => `Authorization: Bearer ${secret}`,
  secret => `authorization=Basic ${secret}==`,
  secret => `Cookie: session=${secret}; theme=${secret}`,
  secret => `x-auth-token: '${secret}'`,
  secret => `svc-server --register-token ${secret} --port 80`,
  secret => `login --password='${secret}'`,
  secret => `the passphrase is ${secret}`,
  secret => `curl -u ada:${secret} example`,
];

const people = ['ada.lovelace', 'Ada Lovelace', 'lovelace'];
const paths: readonly ((who: string) => string)[] = [
  who => `/Users/${who}/projects/secretfilm/shot 010.ma`,
  who => `/home/${who}/secretfilm/render.log`,
  who => `/Volumes/secretfilm/${who}/a.usd`,
  who => `~/${who}/secretfilm/x.py`,
  who => `C:\\Users\\${who}\\Documents\\secretfilm\\scene file.max`,
  who => `C:\\\\Users\\\\${who}\\\\secretfilm\\\\x.py`,
  who => `D:/secretfilm/${who}/cache`,
  who => `\\\\secretfilm\\home$\\${who}\\x`,
  who => `\\\\?\\C:\\Users\\${who}\\secretfilm`,
  who => `%USERPROFILE%\\secretfilm\\${who}\\x.ini`,
  who => `$HOME/secretfilm/${who}/x.ini`,
  who => `file:///Users/${who}/secretfilm/x.ma`,
  who => `../secretfilm/${who}/x.ma`,
];
const around: readonly ((path: string) => string)[] = [
  path => `cannot open ${path}`,
  path => `File "${path}", line 3, in load`,
];

const schemes = [
  ...['http', 'https', 'ws', 'wss', 'ftp', 'sftp', 'ssh', 'git+ssh', 'smb', 's3', 'postgres', 'redis', 'amqp'],
  ...['mongodb+srv', 'jdbc:mysql', 'p4', 'ldap', 'rtsp'],
];
const urls = schemes.flatMap(scheme => [
  {
    text: `fetching ${scheme}://secretfilm.example/lovelace/x?y=hunter2#z failed`,
    gone: ['secretfilm', 'lovelace', 'hunter2'],
  },
  {
    text: `{"url":"${scheme}://lovelace:hunter2@10.1.2.3:4321/secretfilm"}`,
    gone: ['secretfilm', 'lovelace', 'hunter2', '10.1.2.3'],
  },
]);

const places = [
  'render-07.studio.corp:8080',
  'nas.local',
  '192.168.17.4',
  '10.20.30.40:9765',
  '[fe80::1ff:fe23]:80',
  'fe80::1ff:fe23',
];

const processes = [
  ...['pid 48213', 'pid=48213', 'PID: 48213', '"pid":48213', '{"dcc_pid": 48213}', 'host_pid = 48213', 'ppid 48213'],
  ...['process 48213 is gone', 'process_id=48213', 'kill -9 48213', 'taskkill /PID 48213', 'python[48213]: x'],
  ...['svc-maya.48213.host-errors.log', 'maya-48213.jsonl', '/proc/48213/status'],
];

export const corpus: readonly Planted[] = [
  ...tokens.flatMap(token => carriers.map(carry => ({ text: carry(token), gone: [token, token.slice(-16)] }))),
  ...hidden.flatMap(secret => keyed.map(carry => ({ text: carry(secret), gone: [secret] }))),
  ...people.flatMap(who =>
    paths.flatMap(path => around.map(place => ({ text: place(path(who)), gone: ['secretfilm', 'lovelace'] }))),
  ),
  ...urls,
  ...places.map(place => ({
    text: `connect to ${place} refused`,
    gone: [place, place.split(':')[0] as string].filter(each => each.length > 4),
  })),
  ...processes.map(text => ({ text, gone: ['48213'] })),
  { text: 'ask ada.lovelace@studio.example about it', gone: ['lovelace', 'studio.example'] },
  { text: 'git@github.com:secretfilm/lovelace.git', gone: ['secretfilm', 'lovelace'] },
  { text: 'mailto:lovelace@studio.example', gone: ['lovelace'] },
  { text: 'instance 5e2c9a10-7b3f-4c1d-9a8e-0f1e2d3c4b5a left', gone: ['5e2c9a10', '0f1e2d3c4b5a'] },
  { text: `-----BEGIN RSA PRIVATE KEY-----\n${mixed(20)}\n-----END RSA PRIVATE KEY-----`, gone: [mixed(20)] },
];
