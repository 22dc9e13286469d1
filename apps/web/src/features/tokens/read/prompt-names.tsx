import { PROMPT_ALIAS_PATTERN, type Prompt } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { XIcon } from 'lucide-react'
import { useState } from 'react'
import { CopyButton } from '../../../components/copy/copy-button.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { aliasesQuery, useChangeAlias } from './aliases.queries.ts'

const FORM = 'An alias is pmpt_ and letters, digits, _ or -.'

export interface PromptNamesProps {
  prompt: Prompt
  /** The person owns it: they say what else it is called. */
  isOwn: boolean
}

/** What code calls a prompt: its slug, its id, and the aliases that it brought along. */
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
            onRemove={isOwn ? () => mutate({ method: 'DELETE', alias }) : undefined}
          />
        ))}
      </ul>
      {isOwn && (
        <p className="text-xs text-text-3">
          An alias is the id that a prompt had with OpenAI: code that runs it by that id needs another address
          and key, no more.
        </p>
      )}
      {isOwn && (
        <NewAlias
          isPending={isPending}
          onGive={(alias, onSuccess) => mutate({ method: 'PUT', alias }, { onSuccess })}
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
      {onRemove && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
          className="text-text-3"
        >
          <XIcon />
        </Button>
      )}
    </li>
  )
}

interface NewAliasProps {
  isPending: boolean
  onGive: (alias: string, onGiven: () => void) => void
}

function NewAlias({ isPending, onGive }: NewAliasProps) {
  const [text, setText] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  return (
    <form
      noValidate
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const alias = text.trim()
        const fits = PROMPT_ALIAS_PATTERN.test(alias)
        setIsRefused(!fits)
        if (fits) onGive(alias, () => setText(''))
      }}
    >
      <div className="min-w-0 flex-1">
        <Field label="Alias" hideLabel error={isRefused ? FORM : undefined}>
          <Input
            autoComplete="off"
            placeholder="pmpt_…"
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
