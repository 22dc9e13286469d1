import type { MailState } from '@catenary/contracts'

export const MAIL: MailState = {
  isSetUp: true,
  recipients: 'any',
  domains: [],
  ownAddress: 'ada@example.org',
  ownAddressState: null,
}

/** For a person with a confirmed address, on a server that asks recipients outside one domain. */
export const ASKING: MailState = {
  ...MAIL,
  recipients: 'confirmed',
  domains: ['corp.example'],
  ownAddressState: 'confirmed',
}
