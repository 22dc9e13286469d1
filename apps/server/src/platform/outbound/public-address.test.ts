import { expect, test } from 'vitest'
import { HOSTILE_URLS } from '../../testing/hostile-network/hostile-hosts.ts'
import { isPublicAddress } from './public-address.ts'

const literals = HOSTILE_URLS.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ''))

test.each(literals)('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  ...[
    '',
    'example.org',
    'fe80::1%lo',
    '2606:4700::1111%eth0',
    '1.1.1.1/8',
    '1.1.1.1:80',
    '[2606:4700::1111]',
  ],
  ...['1.1.1', '0x01010101', ' 1.1.1.1'],
])('%j is no address at all, and so not public', (text) => {
  expect(isPublicAddress(text)).toBe(false)
})

test.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '126.255.255.255', '128.0.0.1', '100.63.255.255'],
  ...['100.128.0.0', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0'],
  ...[
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '2620::1',
  ],
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})
