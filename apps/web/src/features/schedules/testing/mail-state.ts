import type { MailState } from '@catenary/contracts'

export const MAIL: MailState = {
  isSetUp: true,
  recipients: 'any',
  domains: [],
  ownAddress: 'ada@example.org',
  ownAddressState: null,
}
