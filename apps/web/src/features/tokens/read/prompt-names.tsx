import { type Prompt, promptAliasList, promptAliasName } from '@catenary/contracts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyButton } from '../../../components/copy/copy-button.tsx'
import { RemoveButton } from '../../../components/remove-button.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { api } from '../../../lib/api.ts'

export interface PromptNamesProps {
  prompt: Prompt
  isOwn: boolean
}

export function PromptNames({ prompt, isOwn }: PromptNamesProps) {
  const { data: aliases = [] } = useQuery({ ...aliasesQuery(prompt.id), enabled: prompt.canEdit })
  const { mutate, isPending } = useChangeAlias(prompt.id)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ul
        aria-label={`Names of ${prompt.title}`}
        className="divide-y divide-line rounded-control border border-line text-sm"
      >
        <Name kind="Slug" name={prompt.slug} />
        <Name kind="Id" name={String(prompt.id)} />
        {aliases.map(({ alias }) => (
          <Name
            key={alias}
            kind="Alias"
            name={alias}
            onRemove={isOwn ? () => mutate({ change: 'take', alias }) : undefined}
          />
        ))}
      </ul>
      {isOwn && (
        <p className="text-xs text-text-3">
          An alias is the name or ID that the prompt had elsewhere, such as “marketing/intro” or “pmpt_68a1…”.
          Existing code only needs a new address and key.
        </p>
      )}
      {isOwn && (
        <NewAlias
          isPending={isPending}
          onGive={(alias, onSuccess) => mutate({ change: 'give', alias }, { onSuccess })}
        />
      )}
    </div>
  )
}

interface NameProps {
  kind: string
  name: string
  onRemove?: (() => void) | undefined
}

function Name({ kind, name, onRemove }: NameProps) {
  return (
    <li className="flex min-h-9 min-w-0 items-center gap-2 py-0.5 pr-1 pl-3">
      <span className="w-10 shrink-0 text-text-3">{kind}</span>
      <code className="min-w-0 flex-1 truncate font-mono text-xs">{name}</code>
      <CopyButton text={name} label={`Copy ${name}`} className="text-text-3" />
      {onRemove && <RemoveButton label={`Remove ${name}`} onClick={onRemove} />}
    </li>
  )
}

interface NewAliasProps {
  isPending: boolean
  onGive: (alias: string, onGiven: () => void) => void
}

function NewAlias({ isPending, onGive }: NewAliasProps) {
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<string>()
  return (
    <form
      noValidate
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const { data: alias, error } = promptAliasName.safeParse(text)
        setRefusal(error?.issues[0]?.message)
        if (alias !== undefined) onGive(alias, () => setText(''))
      }}
    >
      <div className="min-w-0 flex-1">
        <Field label="Alias" hideLabel error={refusal}>
          <Input
            autoComplete="off"
            placeholder="Name elsewhere"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
      </div>
      <Button type="submit" variant="secondary" pending={isPending} disabled={text.trim() === ''}>
        Add
      </Button>
    </form>
  )
}

const CALLS = {
  give: 'PUT /api/prompts/{id}/aliases/{alias}',
  take: 'DELETE /api/prompts/{id}/aliases/{alias}',
} as const

function aliasesQuery(promptId: number) {
  return queryOptions({
    queryKey: ['aliases', promptId],
    queryFn: ({ signal }) =>
      api('GET /api/prompts/{id}/aliases', { params: { id: promptId }, reply: promptAliasList, signal }),
  })
}

function useChangeAlias(promptId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ change, alias }: { change: keyof typeof CALLS; alias: string }) =>
      api(CALLS[change], { params: { id: promptId, alias }, reply: promptAliasList }),
    onSuccess: (saved) => queryClient.setQueryData(aliasesQuery(promptId).queryKey, saved),
  })
}
