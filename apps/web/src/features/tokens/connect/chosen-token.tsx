import {
  type Chain,
  type OwnToken,
  type OwnTokenDetails,
  type Prompt,
  READ_TOKEN_TEXTS,
  type TokenType,
} from '@catenary/contracts'
import {
  type ApiExample,
  type ConnectClientName,
  type ConnectSubject,
  extractVariables,
  waysOf,
} from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlertIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { FoldArrow } from '../../../components/fold-arrow.tsx'
import { Time } from '../../../components/time/time.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../../components/ui/collapsible.tsx'
import { countText } from '../../../lib/text/count-text.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { formatCost } from '../../runs/format-metrics.ts'
import { modelsOf } from '../chain/models-of.ts'
import { ANY_MODEL } from '../curl-command.ts'
import { Deliveries } from '../hooks/deliveries.tsx'
import { AddressFor, ShownAddress } from '../hooks/own-addresses.tsx'
import { PromptNames } from '../read/prompt-names.tsx'
import { TokenDetails } from '../token-details.tsx'
import { TokenRuns } from '../token-runs.tsx'
import { describeLimits, nameOf, prefixOf, unusableReason } from '../token-texts.ts'
import { readTokenValue, tokenQuery, useLaterCalls } from '../tokens.queries.ts'
import { ClientTabs } from './client-tabs.tsx'
import { isExpired, likelyClient, WAYS } from './connect-texts.ts'
import { FetchedLast } from './fetched-last.tsx'
import { FirstCall } from './first-call.tsx'
import { WhatItSees } from './what-it-sees.tsx'

export interface ChosenTokenProps {
  token: OwnToken | null
  /** What a token of one chain calls; null: on its way, or out of reach. */
  chain: Chain | null
  prompt: Prompt | null
  viewer: string
  client: ConnectClientName | null
  onClient: (client: ConnectClientName) => void
  onPrompt: (id: number) => void
  onCreate: (kind: TokenType) => void
  onEdit: (token: OwnToken) => void
}

/** A chain’s own address is called by services, not by a client of one’s own. */
export function ChosenToken(props: ChosenTokenProps) {
  const { token } = props
  return token?.tokenType === 'hook' ? (
    <ChosenHook {...props} hook={token} />
  ) : (
    <ChosenForClients {...props} />
  )
}

function ChosenHook({ hook, onEdit }: ChosenTokenProps & { hook: OwnToken }) {
  const { data: whole = null } = useQuery(tokenQuery(hook.id))
  const edit = () => onEdit(hook)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
      <Obstacle token={hook} whole={whole} onEdit={edit} />
      <section
        aria-label="How to connect"
        className="@container min-w-0 rounded-card border border-line bg-surface"
      >
        <ShownAddress
          key={hook.id}
          hook={hook}
          choice={<AddressFor hook={hook} />}
          create={null}
          onEdit={edit}
        />
      </section>
      <Deliveries key={hook.id} hook={hook} />
      {whole && <TokenMetrics token={whole} lastUsed={hook.lastUsed} />}
    </div>
  )
}

function ChosenForClients(props: ChosenTokenProps) {
  const { token, chain, prompt, viewer, onClient, onPrompt, onCreate, onEdit } = props
  const { data: whole = null } = useQuery({ ...tokenQuery(token?.id ?? 0), enabled: token !== null })
  const chainLabel = whole?.tokenType === 'chain' ? whole.chainLabel : null
  const { subject, models, chooseModel } = useSubject({ token, chain, prompt, chainLabel })
  const [isOwn, setIsOwn] = useState(false)
  const { client: wanted } = props
  const client = wanted && waysOf(wanted).includes(subject.way) ? wanted : likelyClient(token, subject.way)
  const model = subject.way === 'model' ? subject.model : ''
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
      {token && <Obstacle token={token} whole={whole} onEdit={() => onEdit(token)} />}
      <section
        aria-label="How to connect"
        className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 overflow-hidden rounded-card border border-line bg-surface pb-1"
      >
        <ClientTabs
          client={client}
          onClient={onClient}
          subject={subject}
          value={
            token?.canReveal ? { shown: prefixOf(token), read: () => readTokenValue({ id: token.id }) } : null
          }
          choice={
            models.length > 1 ? (
              <ModelChoice models={models} model={model} onChange={chooseModel} />
            ) : (
              subject.way === 'prompt' && <PromptChoice whole={whole} prompt={prompt} onPrompt={onPrompt} />
            )
          }
          noteOf={(example) =>
            token && <RunNote example={example} whole={whole} onEdit={() => onEdit(token)} />
          }
        />
        {token ? (
          <>
            <div className="px-4">
              <FirstCall key={token.id} tokenId={token.id} client={subject.way === 'mcp' ? client : null} />
            </div>
            <WhatItSees token={token} chain={chain} onPrompt={onPrompt} />
            <FetchedLast token={token} isOwn={isOwn} onOwn={setIsOwn} />
          </>
        ) : (
          <Unreached prompt={prompt} onCreate={() => onCreate('read')} />
        )}
      </section>
      {prompt && subject.way === 'prompt' && (
        <Fold name={`Names of the prompt ${prompt.title}`} title="Names used in code" note={prompt.title}>
          <PromptNames key={prompt.id} prompt={prompt} isOwn={prompt.owner === viewer} />
        </Fold>
      )}
      {token && whole && <TokenMetrics token={whole} lastUsed={token.lastUsed} />}
    </div>
  )
}

function TokenMetrics({ token, lastUsed }: { token: OwnTokenDetails; lastUsed: string | null }) {
  useLaterCalls({ id: token.id, lastUsed })
  const runs = token.tokenType !== 'read' || token.scopes.includes('run')
  const limits = describeLimits({ limits: token, timeZone: useTimeZone() })
  return (
    <Fold
      name={`Usage of ${nameOf(token)}`}
      title="Usage and limits"
      note={`${countText(token.calls ?? 0, 'call')} · ${formatCost(token.costUsd)} · ${limits}`}
      // What waits for a yes is seen at once.
      isOpenAtFirst={token.asksToFill.length > 0}
    >
      <TokenDetails token={token}>{runs && <TokenRuns token={token} />}</TokenDetails>
    </Fold>
  )
}

interface FoldProps {
  name: string
  title: string
  note: string
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** What is rarely needed: a line that opens. */
function Fold({ name, title, note, isOpenAtFirst = false, children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  return (
    <section aria-label={name} className="min-w-0 rounded-card border border-line bg-surface">
      <Collapsible open={isOpen} onOpenChange={setIsOpen} className="grid grid-cols-[minmax(0,1fr)]">
        <h3>
          <CollapsibleTrigger className="flex min-h-11 w-full min-w-0 items-center gap-2 rounded-card px-3.5 text-left text-sm font-semibold tracking-normal hover:bg-hover/60 focus-visible:outline-offset-[-2px]">
            <FoldArrow isOpen={isOpen} className="size-4" />
            <span className="shrink-0">{title}</span>
            <span dir="auto" className="min-w-0 truncate font-normal text-text-3">
              {note}
            </span>
          </CollapsibleTrigger>
        </h3>
        <CollapsibleContent className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 pt-1 pb-4">
          {children}
        </CollapsibleContent>
      </Collapsible>
    </section>
  )
}

function Obstacle({
  token,
  whole,
  onEdit,
}: {
  token: OwnToken
  whole: OwnTokenDetails | null
  onEdit: () => void
}) {
  const reason = isExpired(token) ? 'expired' : whole && unusableReason(whole)
  if (!reason) return null
  return (
    <Banner
      variant="danger"
      icon={<TriangleAlertIcon />}
      className="items-center"
      action={
        <Button variant="secondary" size="sm" onClick={onEdit}>
          Edit
        </Button>
      }
    >
      {reason === 'expired' && token.expiresAt !== null ? (
        <>
          This token expired on <Time time={token.expiresAt} as="day" />. Extend it to let programs connect
          again.
        </>
      ) : (
        <>Programs can’t use this token: {reason}.</>
      )}
    </Banner>
  )
}

interface ModelChoiceProps {
  models: readonly string[]
  model: string
  onChange: (model: string) => void
}

function ModelChoice({ models, model, onChange }: ModelChoiceProps) {
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm text-text-3">
      Model
      <ChoiceSelect
        choices={models.map((value) => ({ value, label: value }))}
        value={model}
        onChange={onChange}
        trigger={{ 'aria-label': 'Model', className: 'h-7 w-auto max-w-64 font-mono text-xs text-text' }}
      />
    </div>
  )
}

interface PromptChoiceProps {
  whole: OwnTokenDetails | null
  prompt: Prompt | null
  onPrompt: (id: number) => void
}

function PromptChoice({ whole, prompt, onPrompt }: PromptChoiceProps) {
  const reached = [...(prompt ? [prompt] : []), ...(whole?.tokenType === 'read' ? whole.namedPrompts : [])]
  const choices = [...new Map(reached.map(({ id, title }) => [id, title]))]
    .map(([id, label]) => ({ value: String(id), label }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  if (choices.length === 0) return null
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm text-text-3">
      Prompt
      <ChoiceSelect
        choices={choices}
        value={prompt ? String(prompt.id) : ''}
        onChange={(id) => onPrompt(Number(id))}
        placeholder="Choose a prompt"
        trigger={{ 'aria-label': 'Prompt', className: 'h-7 w-auto max-w-72 text-text' }}
      />
    </div>
  )
}

function RunNote({
  example,
  whole,
  onEdit,
}: {
  example: ApiExample
  whole: OwnTokenDetails | null
  onEdit: () => void
}) {
  const isAllowed =
    whole?.tokenType !== 'read' || whole.scopes.includes('run') || !example.id.startsWith('run-')
  if (isAllowed) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-warn">
      {READ_TOKEN_TEXTS.mayNotRun}
      <Button variant="link" onClick={onEdit}>
        Edit
      </Button>
    </p>
  )
}

function Unreached({ prompt, onCreate }: { prompt: Prompt | null; onCreate: () => void }) {
  return (
    <Banner
      variant="accent"
      className="mx-4 mb-3 items-center"
      action={
        <Button variant="secondary" size="sm" onClick={onCreate}>
          Create token
        </Button>
      }
    >
      None of your tokens reaches {prompt ? `“${prompt.title}”` : 'this prompt'} yet.
    </Banner>
  )
}

interface SubjectOptions {
  token: OwnToken | null
  chain: Chain | null
  prompt: Prompt | null
  chainLabel: string | null
}

/** A slug where a prompt is still to be chosen. */
const ANY_PROMPT = 'prompt-name'

function useSubject({ token, chain, prompt, chainLabel }: SubjectOptions) {
  const [chosen, setChosen] = useState<{ tokenId: number; model: string } | null>(null)
  const models = modelNames({ token, chain, chainLabel })
  const model = chosen?.tokenId === token?.id ? models.find((name) => name === chosen?.model) : undefined
  return {
    subject: subjectOf({ token, prompt, model: model ?? models[0] ?? ANY_MODEL }),
    models,
    chooseModel: (model: string) => token && setChosen({ tokenId: token.id, model }),
  }
}

function modelNames({ token, chain, chainLabel }: Omit<SubjectOptions, 'prompt'>): string[] {
  if (token?.tokenType === 'best' || token?.tokenType === 'scoped') return [ANY_MODEL]
  if (token?.tokenType !== 'chain') return []
  if (!chain) return [`chain-${token.chainId}`]
  return modelsOf({ ...chain, labels: chainLabel === null ? chain.labels : [] })
}

function subjectOf({
  token,
  prompt,
  model,
}: Pick<SubjectOptions, 'token' | 'prompt'> & { model: string }): ConnectSubject {
  const way = token === null ? 'prompt' : WAYS[token.tokenType]
  switch (way) {
    case 'mcp':
    case 'folder':
      return { way }
    case 'model':
      return { way, model }
    case 'prompt':
      return {
        way,
        name: prompt?.slug ?? ANY_PROMPT,
        variables: prompt ? extractVariables(prompt.content) : [],
      }
  }
}
