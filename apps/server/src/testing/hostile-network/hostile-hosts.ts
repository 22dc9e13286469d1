import { PUBLIC_ADDRESS, REBINDING_NAME } from './hostile-names.ts'

/** Where each cloud answers its own machines, as its documents name it. */
export const CLOUD_HOSTS = [
  ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.0.23', '169.254.42.42'],
  ...['168.63.129.16', '100.100.100.200', '100.96.0.96', '100.80.80.80', '192.0.0.192', '192.80.8.124'],
  ...['[fd00:ec2::254]', '[fd00:ec2::23]', '[fd20:ce::254]', '[fd00:c1::a9fe:a9fe]'],
  ...['[fd00:a9fe:a9fe::1]', '[fd00:42::42]', '[fe80::a9fe:a9fe]'],
]

/** Hosts as they stand in a URL, each leading away from the public internet, by the way in which it does. */
const HOSTILE_HOSTS: Record<string, string[]> = {
  'loopback, in every spelling of a URL': [
    ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001'],
    ...['0x7f.0.0.1', '0x7f.1', '0177.0.0.1', '017700000001', '00000177.1', '%31%32%37.0.0.1'],
    ...['１２７.０.０.１', '127。0。0。1', '①②⑦.⓪.⓪.①', 'localhost', 'LOCALHOST', 'loc%61lhost'],
  ],
  'own services of clouds': [
    ...CLOUD_HOSTS,
    ...['2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'],
  ],
  'private networks': [
    ...['10.0.0.1', '10.255.255.255', '167772161', '172.16.0.1', '172.31.255.254', '192.168.0.1'],
    ...['192.168.1.254', '0xc0a80001', '100.64.0.1', '100.127.255.254'],
  ],
  'this host': ['0.0.0.0', '0', '0x0', '0.1.2.3', '[::]', '[0:0:0:0:0:0:0:0]'],
  'ranges for tests, documents and later': [
    ...['192.0.0.8', '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '198.19.255.254'],
    ...['192.88.99.1', '192.175.48.1', '192.52.193.1', '240.0.0.1', '255.255.255.254'],
  ],
  'many hosts at once': ['224.0.0.1', '239.255.255.250', '255.255.255.255', '[ff02::1]', '[ff0e::1]'],
  'loopback and private networks of IPv6': [
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[fc00::1]', '[fd00::1]', '[fd12:3456:789a::1]'],
    ...['[fe80::1]', '[febf::1]', '[fec0::1]'],
  ],
  'IPv4 inside IPv6': [
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]', '[::ffff:10.0.0.1]'],
    ...['[0:0:0:0:0:ffff:c0a8:1]', '[::127.0.0.1]', '[::a9fe:a9fe]', '[::ffff:0:127.0.0.1]'],
    ...['[64:ff9b::7f00:1]', '[64:ff9b::169.254.169.254]', '[64:ff9b::a00:1]', '[64:ff9b:1::a00:1]'],
    ...['[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2002:c0a8:1::1]', '[2001:0:7f00:1::]'],
    ...['[2001:0:4136:e378:8000:63bf:80ff:fffe]'],
  ],
  'IPv6 for tests, documents and later': [
    ...['[2001:db8::1]', '[3fff::1]', '[100::1]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]'],
    ...['[5f00::1]', '[4000::1]', '[e000::1]', '[200::1]'],
  ],
}

/** All of them as URLs. */
export const HOSTILE_URLS = Object.values(HOSTILE_HOSTS).flatMap((hosts) => hosts.map(toUrl))

/** Those that no connection can be made to, guard or not. */
export const UNREACHABLE_URLS = new Set(
  [
    ...['224.0.0.1', '239.255.255.250', '255.255.255.255', '[ff02::1]', '[ff0e::1]'],
    '[fe80::1]',
    '[febf::1]',
    '[fe80::a9fe:a9fe]',
  ].map(toUrl),
)

/** What the guard lets pass, and its neighbours; `10.0.0.5`, `10.0.0.6:8080` and `wiki.internal` are allowed hosts. */
export const ORDINARY_URLS = [
  ...[`http://${PUBLIC_ADDRESS}/`, 'http://[2606:4700::1111]/', toRedirect('http://198.51.99.1/')],
  ...[`http://${REBINDING_NAME}/?to=http://${REBINDING_NAME}/inner`, `http://${REBINDING_NAME}/`],
  ...['http://10.0.0.5/', 'http://10.0.0.5:8080/', 'http://10.0.0.6:8080/', 'http://10.0.0.6/'],
  ...['http://wiki.internal/', 'http://wiki.internal:8080/', 'http://10.0.0.7/'],
]

/** A public URL that redirects to this one. */
export function toRedirect(url: string): string {
  // A header holds ASCII alone; a percent-encoded host is the same host.
  const location = url.replace(/[^ -~]/g, encodeURIComponent)
  return `http://${PUBLIC_ADDRESS}/?to=${encodeURIComponent(location)}`
}

function toUrl(host: string): string {
  return `http://${host}/latest/meta-data/`
}
