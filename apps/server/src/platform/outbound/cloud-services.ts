import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

interface CloudService {
  at: string
  what: string
  source: string
}

/** Where clouds give their machines keys, among other things: none of it is ever asked, whoever allowed what. */
export const CLOUD_SERVICES: readonly CloudService[] = [
  {
    at: '169.254.0.0/16',
    what: 'link-local: 169.254.169.254 of AWS, Azure, Google, Oracle, DigitalOcean, Hetzner, IBM, OpenStack and others; 169.254.170.2 and .23 of ECS and EKS; 169.254.0.23 of Tencent; 169.254.42.42 of Scaleway',
    source: 'RFC 3927; docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html',
  },
  {
    at: 'fe80::/10',
    what: 'link-local: fe80::a9fe:a9fe of OpenStack',
    source: 'RFC 4291; docs.openstack.org/nova/latest/user/metadata.html',
  },
  {
    at: '168.63.129.16/32',
    what: 'Azure: agent, certificates and extension settings',
    source: 'learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16',
  },
  {
    at: 'fd00:ec2::/32',
    what: 'AWS: metadata ::254, credentials ::23, keys ::250 and ::251, names ::253, time ::123',
    source:
      'docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html; docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html',
  },
  {
    at: 'fd20:ce::/32',
    what: 'Google: metadata ::254',
    source: 'cloud.google.com/compute/docs/metadata/querying-metadata',
  },
  {
    at: '100.100.100.200/32',
    what: 'Alibaba: metadata',
    source: 'alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata',
  },
  {
    at: '100.96.0.96/32',
    what: 'Volcano Engine: metadata',
    source: 'volcengine.com/docs/6396/69813',
  },
  { at: '100.80.80.80/32', what: 'UCloud: metadata', source: 'docs.ucloud.cn/uhost/guide/metadata' },
  {
    at: '192.0.0.192/32',
    what: 'Oracle Classic: metadata',
    source: 'docs.oracle.com/en/cloud/iaas/compute-iaas-cloud/stcsg/retrieving-instance-metadata.html',
  },
  {
    at: 'fd00:c1::/32',
    what: 'Oracle: metadata ::a9fe:a9fe',
    source: 'docs.oracle.com/iaas/Content/Compute/Tasks/gettingmetadata.htm',
  },
  {
    at: 'fd00:a9fe:a9fe::/48',
    what: 'Akamai (Linode): metadata ::1',
    source: 'techdocs.akamai.com/cloud-computing/docs/overview-of-the-metadata-service',
  },
  {
    at: 'fd00:42::42/128',
    what: 'Scaleway: metadata',
    source: 'scaleway.com/en/docs/instances/how-to/use-cloud-init',
  },
  {
    at: '192.80.8.124/32',
    what: 'Equinix Metal: metadata',
    source: 'deploy.equinix.com/developers/docs/metal/server-metadata/metadata',
  },
]

const RANGES = CLOUD_SERVICES.map(({ at }) => ipaddr.parseCIDR(at))

const NAT64 = [ipaddr.IPv6.parseCIDR('64:ff9b::/96'), ipaddr.IPv6.parseCIDR('64:ff9b:1::/48')]
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')
const TRANSLATED = ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96')
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16')
const TEREDO = ipaddr.IPv6.parseCIDR('2001::/32')

export function isCloudService(address: string): boolean {
  const [bare = ''] = address.split('%', 1)
  if (isIP(bare) === 0) return false
  const parsed = ipaddr.process(bare)
  const all = parsed.kind() === 'ipv4' ? [parsed] : [parsed, ...embeddedIn(parsed as ipaddr.IPv6)]
  return all.some((one) =>
    RANGES.some(([range, bits]) => range.kind() === one.kind() && one.match(range, bits)),
  )
}

function embeddedIn(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray()
  const at = (from: number, flip = 0) =>
    new ipaddr.IPv4(bytes.slice(from, from + 4).map((byte) => byte ^ flip))
  const isIn = (range: [ipaddr.IPv6, number]) => address.match(range)
  if ([...NAT64, COMPATIBLE, TRANSLATED].some(isIn)) return [at(12)]
  if (isIn(SIX_TO_FOUR)) return [at(2)]
  return isIn(TEREDO) ? [at(4), at(12, 0xff)] : []
}
