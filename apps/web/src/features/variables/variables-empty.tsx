import type { Variable } from '@catenary/contracts'
import { BracesIcon, PlayIcon, PlusIcon } from 'lucide-react'
import { EmptyState } from '../../components/empty-state.tsx'
import { TemplateText } from '../../components/template-text.tsx'
import { Button } from '../../components/ui/button.tsx'
import { errorReason } from '../../lib/errors.ts'
import { toastFailure } from '../../lib/toast.ts'
import { useAuthGate } from '../accounts/auth-gate.tsx'
import { useCreateVariable } from './variables.queries.ts'

const EXAMPLE = {
  name: 'brand_voice',
  type: 'text' as const,
  content: 'Warm, exact, no exclamation marks. Short words before long ones.',
}

export interface EmptyVariablesProps {
  isGuest: boolean
  onCreate: () => void
  onTry: (variable: Variable) => void
}

export function EmptyVariables({ isGuest, onCreate, onTry }: EmptyVariablesProps) {
  const guard = useAuthGate()
  const { mutate, isPending } = useCreateVariable()
  const createAndTry = () =>
    mutate(EXAMPLE, {
      onSuccess: onTry,
      onError: toastFailure('Error creating variable', errorReason),
    })
  return (
    <EmptyState
      icon={<BracesIcon />}
      title="No variables yet"
      about="variables"
      description={
        <>
          A variable holds what many prompts use: a text, a file, an API’s answer, a Google Drive document.
          Wherever a prompt says <TemplateReference name={EXAMPLE.name} />, its value goes in.
          <span className="mt-3 block rounded-card border border-line bg-inset p-3.5 text-left">
            <span className="mb-1 block font-mono text-xs text-text">{EXAMPLE.name}</span>
            <TemplateText text={EXAMPLE.content} />
          </span>
        </>
      }
      action={
        isGuest ? (
          <Button onClick={() => guard(onCreate)}>Log in to create one</Button>
        ) : (
          <>
            <Button variant="secondary" onClick={onCreate}>
              <PlusIcon />
              Write your own
            </Button>
            <Button pending={isPending} onClick={createAndTry}>
              {!isPending && <PlayIcon />}
              Create and try this example
            </Button>
          </>
        )
      }
    />
  )
}

function TemplateReference({ name }: { name: string }) {
  return <code className="rounded-[4px] bg-ref-soft px-1 text-ref">$&lt;{name}&gt;</code>
}
