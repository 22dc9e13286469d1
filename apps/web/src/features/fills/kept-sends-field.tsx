import type { AskedSend, KeptSend } from '@catenary/contracts'
import { useQueries } from '@tanstack/react-query'
import { sendsQuery } from './sends.queries.ts'
import { SendsField, type SendsFieldProps } from './sends-field.tsx'

export interface KeptSendsFieldProps extends Pick<SendsFieldProps, 'chainName'> {
  chainIds: readonly number[]
  /** Null: nowhere. */
  value: readonly KeptSend[] | null
  onChange: (sends: KeptSend[]) => void
}

/** Where private values may go in runs that begin without the person (D89). What can't be looked up is asked for later. */
export function KeptSendsField({ chainIds, value, onChange, chainName }: KeptSendsFieldProps) {
  const sends = useQueries({
    queries: chainIds.map((id) => sendsQuery(id)),
    combine: (found) => found.flatMap(({ data = [] }) => data),
  })
  const kept = value ?? []
  const isAllowed = (send: AskedSend) => kept.some((one) => isSameSend(one, send))
  return (
    <SendsField
      // Allowed for a run that one starts is not allowed for these.
      sends={sends.map((send) => ({ ...send, isConfirmed: true }))}
      isAllowed={isAllowed}
      onChange={(send, isChosen) => {
        const others = kept.filter((one) => !isSameSend(one, send))
        onChange(isChosen ? [...others, toKeptSend(send)] : others)
      }}
      {...(chainName && { chainName })}
    />
  )
}

export const toKeptSend = ({ chainId, destination }: KeptSend): KeptSend => ({ chainId, destination })

function isSameSend(one: KeptSend, other: KeptSend): boolean {
  return one.chainId === other.chainId && one.destination === other.destination
}
