import type { MailState } from '@catenary/contracts'

export const MAIL: MailState = {
  isSetUp: true,
  recipients: 'any',
  domains: [],
  ownAddress: 'ada@example.org',
  ownAddressState: null,
}

/** Of who has confirmed their own address, where any but one domain is asked. */
export const ASKING: MailState = {
  ...MAIL,
  recipients: 'confirmed',
  domains: ['corp.example'],
  ownAddressState: 'confirmed',
}
