import { TOKEN_TEXTS } from '@catenary/contracts'
import {
  type ApiExample,
  CONNECT_CLIENTS,
  type ConnectClientName,
  connectExamples,
  waysOf,
} from '@catenary/domain'
import { CheckIcon, CopyIcon, TerminalIcon, TriangleAlertIcon } from 'lucide-react'
import { type Ref, useRef, useState } from 'react'
import { writeToClipboard } from '../../components/copy/copy-text.ts'
import { useCopied } from '../../components/copy/use-copied.ts'
import { PlainDialog } from '../../components/plain-dialog.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { toast } from '../../lib/toast.ts'
import { USUAL_CLIENTS, WAYS } from './connect/connect-texts.ts'
import { FirstCall } from './connect/first-call.tsx'
import { curlCommand, type NewTokenValue } from './curl-command.ts'
import { copiedOf } from './hooks/hook-texts.ts'
import { nameOf } from './token-texts.ts'

export interface TokenValueDialogProps {
  created: NewTokenValue
  /** Null: the usual one of its kind. */
  client: ConnectClientName | null
  onClose: () => void
}

const LINES_SHOWN = 12

export function TokenValueDialog({ created, client, onClose }: TokenValueDialogProps) {
  const [isCopied, setIsCopied] = useState(false)
  const primary = useRef<HTMLButtonElement>(null)
  const line = useClientLine({ created, client })
  const value = copiedOf(created, created.token)
  const copy = async () => {
    try {
      await writeToClipboard(value)
      setIsCopied(true)
      toast({ title: TOKEN_TEXTS.copied, description: `“${nameOf(created)}” is on the clipboard.` })
    } catch {
      const { copyFailed: title, copyFailedBody: description } = TOKEN_TEXTS
      toast({ title, description, variant: 'destructive' })
    }
  }
  const command = line ? null : curlCommand(created)
  return (
    <PlainDialog
      title="Your new token"
      // A click beside it would take away what was not copied yet.
      onInteractOutside={(event) => event.preventDefault()}
      onOpenAutoFocus={(event) => {
        event.preventDefault()
        primary.current?.focus()
      }}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Done
          </Button>
          <Button
            ref={line ? undefined : primary}
            variant={line ? 'secondary' : 'primary'}
            onClick={() => void copy()}
          >
            {isCopied ? <CheckIcon /> : <CopyIcon />}
            Copy to Clipboard
          </Button>
          {line && <CopyLine ref={primary} key={line.example.id} example={line.example} />}
        </>
      }
      onClose={onClose}
    >
      <Banner variant="warn" icon={<TriangleAlertIcon />}>
        {TOKEN_TEXTS.shownOnce}
      </Banner>
      {line && (
        <Field
          label="For the client"
          hint={line.example.hint}
          action={
            line.clients.length > 1 && (
              <ChoiceSelect
                choices={line.clients.map((value) => ({ value, label: value }))}
                value={line.client}
                onChange={line.choose}
                trigger={{
                  'aria-label': 'Client',
                  className: 'h-7 w-auto border-transparent bg-transparent text-sm',
                }}
              />
            )
          }
        >
          <Textarea
            readOnly
            rows={Math.min(LINES_SHOWN, line.example.code.split('\n').length + 1)}
            value={line.example.code}
            onFocus={({ currentTarget }) => currentTarget.select()}
            className="prompt-text max-h-60 min-h-9 resize-none bg-inset wrap-anywhere"
          />
        </Field>
      )}
      <Field label={`${created.tokenType === 'hook' ? 'Address' : 'Value'} of “${nameOf(created)}”`}>
        <Textarea
          readOnly
          rows={1}
          value={value}
          onFocus={({ currentTarget }) => currentTarget.select()}
          className="prompt-text max-h-60 min-h-9 resize-none bg-inset wrap-anywhere"
        />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-xs text-text-3">
          {created.canReveal
            ? 'After this it stays hidden, but the list of tokens can still copy it.'
            : 'This server doesn’t store token values. If you lose this one, rotate the token.'}
        </p>
        {command !== null && <CopyCommand command={command} />}
      </div>
      {line && <FirstCall tokenId={created.id} client={line.client} isOfNewOnly />}
    </PlainDialog>
  )
}

/** What a client takes with the value in it; null for a token that programs read from their environment. */
function useClientLine({ created, client }: Pick<TokenValueDialogProps, 'created' | 'client'>) {
  const way = WAYS[created.tokenType]
  const [chosen, choose] = useState(client)
  if (way !== 'mcp' && way !== 'folder') return null
  const clients = CONNECT_CLIENTS.map(({ name }) => name).filter((name) => waysOf(name).includes(way))
  const name = clients.find((one) => one === chosen) ?? USUAL_CLIENTS[way]
  const { origin: address } = window.location
  const example = connectExamples({ address, subject: { way }, token: created.token }).find(
    (one) => one.client === name,
  )
  return example ? { client: name, clients, choose, example } : null
}

function CopyLine({ example: { client, code }, ref }: { example: ApiExample; ref: Ref<HTMLButtonElement> }) {
  const { isCopied, copy } = useCopied({ text: code })
  return (
    <Button ref={ref} onClick={() => void copy()}>
      {isCopied ? <CheckIcon /> : <TerminalIcon />}
      {isCopied ? 'Copied!' : `Copy for ${client}`}
    </Button>
  )
}

function CopyCommand({ command }: { command: string }) {
  const { isCopied, copy } = useCopied({ text: command })
  return (
    <Button variant="secondary" size="sm" onClick={() => void copy()}>
      {isCopied ? <CheckIcon /> : <TerminalIcon />}
      Copy curl command
    </Button>
  )
}
