import type { AskedSend } from '@catenary/contracts'
import { GlobeIcon, MailIcon, UsersIcon } from 'lucide-react'
import { useId } from 'react'
import { TemplateTokens } from '../../components/template-text.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { cn } from '../../lib/utils.ts'
import { sendText } from './send-text.ts'

export interface SendsFieldProps {
  sends: readonly AskedSend[]
  isAllowed: (send: AskedSend) => boolean
  onChange: (send: AskedSend, isAllowed: boolean) => void
  /** Absent: the chain is the one that the form is about. */
  chainName?: (chainId: number) => string | undefined
}

/** Where private values may go in a run: each place is allowed by the person alone (D89). */
export function SendsField({ sends, isAllowed, onChange, chainName }: SendsFieldProps) {
  const headingId = useId()
  if (sends.length === 0) return null
  return (
    <section aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="grid gap-0.5">
        <h3 id={headingId} className="text-sm font-semibold tracking-normal">
          Where your private values may go
        </h3>
        <p className="text-sm text-text-2">
          Only you decide. Besides these places, only the models read them.
        </p>
      </div>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line">
        {sends.map((send) => (
          <SendRow
            key={`${send.chainId}.${send.destination}`}
            send={send}
            isAllowed={isAllowed(send)}
            onChange={(isChosen) => onChange(send, isChosen)}
            chainName={chainName?.(send.chainId)}
          />
        ))}
      </ul>
    </section>
  )
}

interface SendRowProps {
  send: AskedSend
  isAllowed: boolean
  onChange: (isAllowed: boolean) => void
  chainName: string | undefined
}

const SYNTAX = { outputs: true, jsonOutputs: { has: () => true } }
const NAMES = new Intl.ListFormat('en')

/** Of a call, whose headers are a part of where it goes. */
function headersText(names: readonly string[]): string {
  if (names.length === 0) return ''
  return `, with the ${names.length === 1 ? 'header' : 'headers'} ${NAMES.format(names)}`
}

const DOES = { ask: 'asked in', http: 'called in', mail: 'emailed in' } as const
const ICONS = { ask: UsersIcon, http: GlobeIcon, mail: MailIcon } as const

function SendRow({ send, isAllowed, onChange, chainName }: SendRowProps) {
  const aboutId = useId()
  const { title, position, isConfirmed, kind } = send
  const Icon = ICONS[kind]
  return (
    <li className={cn('px-3.5', !isConfirmed && 'bg-accent-soft')}>
      <label className="grid min-h-11 cursor-pointer grid-cols-[auto_auto_minmax(0,1fr)_auto] items-start gap-x-3 py-2.5">
        <input
          type="checkbox"
          checked={isAllowed}
          aria-describedby={aboutId}
          onChange={({ target }) => onChange(target.checked)}
          className="mt-0.5 size-4 accent-accent"
        />
        <Icon aria-hidden="true" className="mt-0.5 size-4 text-text-3" />
        <span className="min-w-0 text-sm font-medium wrap-anywhere">
          {kind === 'http' || kind === 'mail' ? (
            <span dir="ltr" className="font-mono text-xs">
              <TemplateTokens text={sendText(send)} syntax={SYNTAX} />
            </span>
          ) : (
            sendText(send)
          )}
          {!isConfirmed && (
            <>
              {' '}
              <Badge variant="accent" className="bg-accent text-on-accent">
                New
              </Badge>
            </>
          )}
        </span>
        <span className="text-xs leading-5 text-text-2">step {position + 1}</span>
        <span id={aboutId} className="col-start-3 text-xs text-text-2 wrap-anywhere">
          {DOES[kind]} “<bdi>{title}</bdi>”
          {chainName !== undefined && (
            <>
              {' '}
              of “<bdi>{chainName}</bdi>”
            </>
          )}
          {kind === 'http' && headersText(send.headers)}
        </span>
      </label>
    </li>
  )
}
