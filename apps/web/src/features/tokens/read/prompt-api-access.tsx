import { type Prompt, READ_TOKEN_TEXTS, type ReadToken } from '@catenary/contracts'
import { extractVariables, promptExamples } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { LearnMore } from '../../../components/learn-more.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { ExampleTabs } from '../example-tabs.tsx'
import { TokenCard } from '../token-card.tsx'
import { readTokensQuery } from '../tokens.queries.ts'
import { type TokenFormSlot, useTokenDialogs } from '../use-token-dialogs.tsx'
import { PromptNames } from './prompt-names.tsx'
import type { SelectablePrompt } from './prompt-picker.tsx'
import { READ_TOKEN_COLUMNS, ReadTokenRow } from './read-token-row.tsx'

export interface PromptApiAccessProps {
  /** The prompt whose names and examples are shown; null: there is none, or it is on its way. */
  prompt: Prompt | null
  onChoose: (id: number) => void
  /** The viewer's username. */
  viewer: string
  /** The form of a token; it comes when it is first shown. */
  renderForm: (slot: TokenFormSlot<ReadToken>) => ReactNode
}

/** Read tokens, and how programs fetch and run the prompts that they reach. */
export function PromptApiAccess({ prompt, onChoose, viewer, renderForm }: PromptApiAccessProps) {
  const headingId = useId()
  const { data: tokens, error, refetch } = useQuery(readTokensQuery)
  const { create, actionsOf, dialogs } = useTokenDialogs({ tokens, canManage: true, renderForm })
  const choices = choicesOf({ tokens, prompt })
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <TokenCard
        headingId={headingId}
        title="Read tokens"
        note={
          <p className="text-sm text-text-3 @max-xl:order-last @max-xl:w-full">
            code fetches prompts with them, by label or version
          </p>
        }
        refusal={undefined}
        onCreate={create}
        columns={READ_TOKEN_COLUMNS}
        tokens={tokens}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <div className="grid gap-0.5">
            <p className="text-sm text-text">{READ_TOKEN_TEXTS.none}</p>
            <p className="text-sm text-text-2">{READ_TOKEN_TEXTS.noneHint}</p>
            <LearnMore about="readTokens" className="justify-self-start" />
          </div>
        }
      >
        {tokens?.map((token) => (
          <ReadTokenRow key={token.id} token={token} {...actionsOf(token)} />
        ))}
      </TokenCard>
      {choices.length > 0 && (
        <section
          aria-label="Prompt"
          className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-card border border-line bg-surface p-3.5"
        >
          <Field label="Prompt">
            <ChoiceSelect
              choices={choices.map(({ id, title }) => ({ value: String(id), label: title }))}
              value={prompt ? String(prompt.id) : ''}
              onChange={(id) => onChoose(Number(id))}
              placeholder="Choose a prompt"
            />
          </Field>
          {prompt && <PromptNames key={prompt.id} prompt={prompt} isOwn={prompt.owner === viewer} />}
        </section>
      )}
      {prompt && <PromptExamples prompt={prompt} />}
      {dialogs}
    </div>
  )
}

function PromptExamples({ prompt: { slug, content } }: { prompt: Prompt }) {
  const address = window.location.origin
  const coordinates = [
    { name: 'Address', value: address },
    { name: 'Prompt', value: slug },
  ]
  const examples = promptExamples({ address, name: slug, variables: extractVariables(content) })
  return (
    <ExampleTabs examples={examples} coordinates={coordinates}>
      Each reads the token’s value from <code className="font-mono text-xs">CATENARY_TOKEN</code>. Without a
      label or a version it is <code className="font-mono text-xs">production</code>, or the newest where
      there is none. Running needs a token that may.
    </ExampleTabs>
  )
}

/** What the tokens reach, and the prompt that one came for. */
function choicesOf({
  tokens = [],
  prompt,
}: {
  tokens: readonly ReadToken[] | undefined
  prompt: Prompt | null
}): SelectablePrompt[] {
  const reached = [...(prompt ? [prompt] : []), ...tokens.flatMap(({ prompts }) => prompts)]
  return [...new Map(reached.map(({ id, title }) => [id, { id, title }])).values()].toSorted((a, b) =>
    a.title.localeCompare(b.title),
  )
}
