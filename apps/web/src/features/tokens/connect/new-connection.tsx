import type { Fill, TokenType } from '@catenary/contracts'
import { TOKEN_TEXTS } from '@catenary/contracts'
import { CONNECT_CLIENTS, type ConnectClientName } from '@catenary/domain'
import { PlugIcon } from 'lucide-react'
import { useState } from 'react'
import { LearnMore } from '../../../components/learn-more.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceList, ChoiceListItem } from '../../../components/ui/choice-list.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { FillsField } from '../../fills/fills-field.tsx'
import type { NewTokenValue } from '../curl-command.ts'
import { useCreateToken } from '../tokens.queries.ts'
import { kindFor } from './connect-texts.ts'

const CHOICES = CONNECT_CLIENTS.map(({ name }) => ({ value: name, label: name }))

/** What the client's usual token does; one that needs no other choice is made in one press. */
const ARRIVALS: Partial<Record<TokenType, string>> = {
  mcp: 'gets all your prompts and skills as commands. It can’t run chains.',
  folder: 'reads everything you own, as files for Git.',
  chain: 'calls one of your chains as a model.',
  read: 'fetches the prompts that you choose.',
}

export interface NewConnectionProps {
  /** There is no token yet: the page is about nothing else. */
  isFirst: boolean
  onCreated: (created: NewTokenValue, client: ConnectClientName) => void
  /** Opens the form with these choices made. */
  onForm: (kind: TokenType, client: ConnectClientName) => void
}

/** One line: which client, and Create. */
export function NewConnection({ isFirst, onCreated, onForm }: NewConnectionProps) {
  const [client, setClient] = useState<ConnectClientName>('Claude Code')
  const [fills, setFills] = useState<Fill[] | null>(null)
  const { mutate, isPending } = useCreateToken()
  const kind = kindFor(client)
  const create = () => {
    if (kind !== 'mcp' && kind !== 'folder') return onForm(kind, client)
    mutate(
      {
        name: client,
        scopes: kind === 'mcp' ? ['prompts', 'agent'] : ['folder.read'],
        ...(kind === 'mcp' && fills && { fills }),
      },
      {
        onSuccess: (created) => onCreated(created, client),
        onError: (error) =>
          toast({
            title: TOKEN_TEXTS.errorCreating,
            description: errorMessage(error, TOKEN_TEXTS.errorCreatingBody),
            variant: 'destructive',
          }),
      },
    )
  }
  const purpose = (
    <p className="min-w-0 flex-1 basis-64 text-sm text-text-2">
      {client} {ARRIVALS[kind]}{' '}
      {(kind === 'mcp' || kind === 'folder') && (
        <Button variant="link" onClick={() => onForm(kind, client)}>
          Change
        </Button>
      )}
    </p>
  )
  const button = (
    <Button pending={isPending} onClick={create}>
      Create
    </Button>
  )
  const consent = kind === 'mcp' && (
    <FillsField reach={{ allPrompts: true }} value={fills} onChange={setFills} />
  )
  if (!isFirst) {
    return (
      <section
        aria-label="New connection"
        className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-card border border-line bg-surface py-2.5 pr-2.5 pl-3.5"
      >
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
          <h2 className="text-md font-semibold">New connection</h2>
          <ChoiceSelect
            choices={CHOICES}
            value={client}
            onChange={setClient}
            trigger={{ 'aria-label': 'Client', className: 'w-44' }}
          />
          {purpose}
          {button}
        </div>
        {consent}
      </section>
    )
  }
  return (
    <section
      aria-labelledby="first-connection"
      className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-6 rounded-card border border-line bg-surface px-5 py-12"
    >
      <div className="grid max-w-lg justify-items-center gap-1.5 text-center">
        <div className="mb-2 grid size-10 place-items-center rounded-card border border-line text-text-3">
          <PlugIcon className="size-5" />
        </div>
        <h2 id="first-connection" className="text-md font-semibold">
          Connect a program to your prompts and chains
        </h2>
        <p className="text-sm text-balance text-text-2">
          Choose the client and press Create. You can then copy its settings, with the address and the token.
        </p>
      </div>
      <ChoiceList
        aria-label="Client"
        value={client}
        onValueChange={(name) => setClient(name as ConnectClientName)}
        className="flex max-w-2xl flex-wrap justify-center gap-1.5"
      >
        {CONNECT_CLIENTS.map(({ name }) => (
          <ChoiceListItem
            key={name}
            value={name}
            className="w-auto content-center border border-line px-3 py-1.5 text-sm font-medium text-text-2 data-[state=checked]:border-accent data-[state=checked]:text-accent-text"
          >
            {name}
          </ChoiceListItem>
        ))}
      </ChoiceList>
      <div className="flex w-full max-w-2xl flex-wrap items-center gap-3 rounded-control border border-line bg-inset py-2 pr-2 pl-3.5">
        {purpose}
        {button}
      </div>
      {consent}
      <LearnMore about="connecting" />
    </section>
  )
}
