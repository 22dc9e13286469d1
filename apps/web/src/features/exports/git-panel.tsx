import {
  type CreatedFolderToken,
  FOLDER_TOKEN_TEXTS,
  type FolderToken,
  TOKEN_TEXTS,
} from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { KeyRoundIcon } from 'lucide-react'
import { useState } from 'react'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorReason } from '../../lib/errors.ts'
import { folderTokensQuery, useCreateFolderToken, useEndFolderToken } from './exports.queries.ts'

/** How the folder goes on in Git: the commands, and the tokens that they need. */
export function GitPanel() {
  const [created, setCreated] = useState<CreatedFolderToken | null>(null)
  return (
    <section aria-labelledby="keep-in-git" className="grid gap-3 rounded-card border border-line p-3.5">
      <div className="grid gap-0.5">
        <h3 id="keep-in-git" className="text-sm font-semibold">
          Keep it in Git
        </h3>
        <p className="text-sm text-text-2">
          The same folder by commands, at your desk or in CI. Git stays yours: no server runs it.
        </p>
      </div>
      <Commands />
      {created ? (
        <NewToken created={created} onDone={() => setCreated(null)} />
      ) : (
        <TokenForm onCreated={setCreated} />
      )}
      <Tokens />
    </section>
  )
}

function Commands() {
  const text = [
    `export CATENARY_URL=${window.location.origin}`,
    'export CATENARY_TOKEN=ctf_…',
    'catenary pull prompts-folder --label production',
    'catenary diff prompts-folder --check',
    'catenary push prompts-folder --label candidate',
    'catenary evaluate --suite refund-reply/tone --label candidate',
  ].join('\n')
  return (
    <div className="flex min-w-0 items-start gap-2 rounded-control bg-inset py-2 pr-1.5 pl-3">
      <pre className="min-w-0 flex-1 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap">
        {text}
      </pre>
      <CopyButton text={text} label="Copy the commands" />
    </div>
  )
}

function TokenForm({ onCreated }: { onCreated: (created: CreatedFolderToken) => void }) {
  const [name, setName] = useState('')
  const [mayWrite, setMayWrite] = useState(false)
  const [mayEvaluate, setMayEvaluate] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const creating = useCreateFolderToken()
  const submit = async () => {
    setProblem(null)
    try {
      onCreated(await creating.mutateAsync({ name: name.trim(), mayWrite, mayEvaluate }))
    } catch (error) {
      setProblem(errorReason(error))
    }
  }
  return (
    <form
      className="grid gap-2.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '' && !creating.isPending) void submit()
      }}
    >
      <Field
        label="A token for it"
        error={problem ?? undefined}
        action={
          <Button
            type="submit"
            variant="secondary"
            size="sm"
            disabled={name.trim() === ''}
            pending={creating.isPending}
          >
            <KeyRoundIcon />
            Create token
          </Button>
        }
      >
        <Input
          value={name}
          maxLength={100}
          placeholder="e.g., CI of our prompts"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <div className="grid gap-2 md:grid-cols-2">
        <SwitchField
          label="May write"
          hint="Push: new versions of what is yours, as you"
          checked={mayWrite}
          onChange={setMayWrite}
        />
        <SwitchField
          label="May evaluate"
          hint="Its evaluations cost your money"
          checked={mayEvaluate}
          onChange={setMayEvaluate}
        />
      </div>
    </form>
  )
}

function NewToken({ created, onDone }: { created: CreatedFolderToken; onDone: () => void }) {
  return (
    <div role="status" className="grid gap-2 rounded-control border border-accent p-3">
      <p className="text-sm font-medium">{TOKEN_TEXTS.shownOnce}</p>
      <div className="flex min-w-0 items-center gap-2">
        <code className="min-w-0 flex-1 font-mono text-xs wrap-anywhere">{created.token}</code>
        <CopyButton text={created.token} label="Copy the token" />
        <Button variant="secondary" size="sm" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}

function Tokens() {
  const { data, error, refetch } = useQuery(folderTokensQuery)
  const ending = useEndFolderToken()
  const [problem, setProblem] = useState<string | null>(null)
  if (error) return <ErrorState title={TOKEN_TEXTS.loadFailed} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton className="h-9" />
  if (data.length === 0) return <p className="text-sm text-text-3">{FOLDER_TOKEN_TEXTS.none}</p>
  const end = async (id: number) => {
    setProblem(null)
    try {
      await ending.mutateAsync(id)
    } catch (error) {
      setProblem(errorReason(error))
    }
  }
  return (
    <>
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <ul aria-label="Folder tokens" className="divide-y divide-line rounded-control border border-line">
        {data.map((token) => (
          <li key={token.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm">
            <span className="min-w-0 flex-1 basis-[160px] font-medium wrap-anywhere">{token.name}</span>
            <span className="text-text-2">{mayOf(token)}</span>
            <span className="text-text-3">
              {token.lastUsed === null ? (
                TOKEN_TEXTS.neverUsed
              ) : (
                <>
                  used <RelativeTime time={token.lastUsed} />
                </>
              )}
            </span>
            <Button
              variant="ghost"
              size="sm"
              aria-label={`End ${token.name}`}
              disabled={ending.isPending}
              onClick={() => void end(token.id)}
            >
              End
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function mayOf({ mayWrite, mayEvaluate }: FolderToken): string {
  return ['reads', ...(mayWrite ? ['writes'] : []), ...(mayEvaluate ? ['evaluates'] : [])].join(', ')
}
