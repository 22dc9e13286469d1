import type { HookSignatureForm, OwnTokenDetails } from '@catenary/contracts'
import { HOOK_DELIVERY_HEADERS } from '@catenary/contracts'
import type { NewTokenValue } from '../curl-command.ts'

export const FORM_NAMES: Record<HookSignatureForm | 'none', string> = {
  none: 'None',
  github: 'GitHub',
  stripe: 'Stripe',
  plain: 'Plain',
}

const SHOWN_LAST = 4

const addressOfHook = (value: string): string => `${window.location.origin}/hooks/${value}`

/** What is copied of a token: a hook is called at its address. */
export const copiedOf = ({ tokenType }: Pick<NewTokenValue, 'tokenType'>, value: string): string =>
  tokenType === 'hook' ? addressOfHook(value) : value

/** The beginning is of each address, and its value is hidden. */
export const hiddenAddress = (prefix: string): string =>
  addressOfHook(`${prefix}${'•'.repeat(3 * SHOWN_LAST)}`)

type Called = Pick<OwnTokenDetails, 'signature' | 'deliveryHeader'>

/** Shell lines that call an address as its services do; `ADDRESS` and `SECRET` are the reader's. */
export function hookCurl({ signature, deliveryHeader }: Called): string {
  const named = deliveryHeader ?? HOOK_DELIVERY_HEADERS[signature?.form === 'github' ? 1 : 0]
  const delivery = `-H "${named}: $(uuidgen)"`
  if (signature === null) return `curl "$ADDRESS" --json @issue.json \\\n  ${delivery}`
  const { form, header } = signature
  const digest = 'openssl dgst -sha256 -hmac "$SECRET"'
  const [made, sent] = {
    github: [`SIG=$(${digest} \\\n  issue.json | cut -d' ' -f2)`, 'sha256=$SIG'],
    plain: [`SIG=$(${digest} \\\n  issue.json | cut -d' ' -f2)`, '$SIG'],
    stripe: [
      `T=$(date +%s)\nSIG=$( (printf "$T."; cat issue.json) | \\\n  ${digest} | cut -d' ' -f2)`,
      't=$T,v1=$SIG',
    ],
  }[form]
  return `${made}\ncurl "$ADDRESS" --json @issue.json \\\n  -H "${header}: ${sent}" \\\n  ${delivery}`
}
