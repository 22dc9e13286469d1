import {
  type Chain,
  type OwnToken,
  type OwnTokenDetails,
  type Prompt,
  READ_TOKEN_TEXTS,
  type TokenType,
} from '@catenary/contracts'
import { type ApiExample, type ConnectClientName, waysOf } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlertIcon } from 'lucide-react'
import { useState } from 'react'
import { Time } from '../../../components/time/time.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { PromptNames } from '../read/prompt-names.tsx'
import { TokenDetails } from '../token-details.tsx'
import { TokenRuns } from '../token-runs.tsx'
import { nameOf, unusableReason } from '../token-texts.ts'
import { tokenQuery } from '../tokens.queries.ts'
import { ClientTabs } from './client-tabs.tsx'
import { isExpired, USUAL_CLIENTS } from './connect-texts.ts'
import { FetchedLast } from './fetched-last.tsx'
import { Misfit } from './misfit.tsx'
import { useSubject } from './use-subject.ts'
import { WhatItSees } from './what-it-sees.tsx'

export interface ChosenTokenProps {
  token: OwnToken | null
  tokens: readonly OwnToken[]
  /** What a token of one chain calls; null: on its way, or out of reach. */
  chain: Chain | null
  prompt: Prompt | null
  viewer: string
  client: ConnectClientName | null
  onClient: (client: ConnectClientName) => void
  onChoose: (token: OwnToken) => void
  onPrompt: (id: number) => void
  onCreate: (kind: TokenType) => void
  onEdit: (token: OwnToken) => void
}

export function ChosenToken(props: ChosenTokenProps) {
  const { token, tokens, chain, prompt, viewer, onClient, onChoose, onPrompt, onCreate, onEdit } = props
  const { data: whole = null } = useQuery({ ...tokenQuery(token?.id ?? 0), enabled: token !== null })
  const chainLabel = whole?.tokenType === 'chain' ? whole.chainLabel : null
  const { subject, models, chooseModel } = useSubject({ token, chain, prompt, chainLabel })
  const [isOwn, setIsOwn] = useState(false)
  const client = props.client ?? USUAL_CLIENTS[subject.way]
  const isMisfit = !waysOf(client).includes(subject.way)
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
          misfit={
            isMisfit && (
              <Misfit client={client} token={token} tokens={tokens} onChoose={onChoose} onCreate={onCreate} />
            )
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
            <WhatItSees token={token} chain={chain} onPrompt={onPrompt} />
            <FetchedLast token={token} isOwn={isOwn} onOwn={setIsOwn} />
          </>
        ) : (
          <Unreached prompt={prompt} onCreate={() => onCreate('read')} />
        )}
      </section>
      {prompt && subject.way === 'prompt' && (
        <section
          aria-label={`Names of the prompt ${prompt.title}`}
          className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded-card border border-line bg-surface p-4"
        >
          <h3 className="text-sm font-semibold tracking-normal">
            What code calls it <span className="font-normal text-text-3 wrap-anywhere">{prompt.title}</span>
          </h3>
          <PromptNames key={prompt.id} prompt={prompt} isOwn={prompt.owner === viewer} />
        </section>
      )}
      {whole && <TokenMetrics token={whole} />}
    </div>
  )
}

function TokenMetrics({ token }: { token: OwnTokenDetails }) {
  const runs = token.tokenType !== 'read' || token.scopes.includes('run')
  return (
    <section
      aria-label={`Use of ${nameOf(token)}`}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded-card border border-line bg-surface p-4"
    >
      <h3 className="text-sm font-semibold tracking-normal">
        Use and limits <span className="font-normal text-text-3 wrap-anywhere">of {nameOf(token)}</span>
      </h3>
      <TokenDetails token={token}>{runs && <TokenRuns token={token} />}</TokenDetails>
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
          This token ended on <Time time={token.expiresAt} as="day" />: programs are refused. Give it a later
          end, and they go on.
        </>
      ) : (
        <>Programs are refused: {reason}.</>
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
      No token of yours reaches {prompt ? `“${prompt.title}”` : 'this prompt'} yet.
    </Banner>
  )
}
