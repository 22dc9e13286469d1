import type { Category, ListedPrompt } from '@catenary/contracts'
import { MessageSquareTextIcon, PlayIcon, PlusIcon } from 'lucide-react'
import { EmptyState } from '../../components/empty-state.tsx'
import { TemplateText } from '../../components/template-text.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useAuthGate } from '../../lib/auth-gate.tsx'
import { toast } from '../../lib/toast.ts'
import { useCreatePrompt } from './prompts.queries.ts'

const EXAMPLE = {
  title: 'Welcome letter',
  content:
    'Write a short, warm welcome for $<customer>. Name one thing to try first, and end with a question.',
}

/** A library without prompts: one example that is created and run in a click. */
export function EmptyLibrary({
  categories,
  onCreate,
  onExecute,
}: {
  categories: readonly Category[]
  onCreate: () => void
  onExecute: (prompt: ListedPrompt) => void
}) {
  const guard = useAuthGate()
  const create = useCreatePrompt()
  const category = categories.find(({ name }) => name === 'Writing') ?? categories[0]
  const createAndRun = (categoryId: number) =>
    create.mutate(
      { ...EXAMPLE, categoryId },
      {
        onSuccess: (prompt) => {
          toast({ title: 'Prompt created', description: 'Your prompt has been created successfully' })
          onExecute(prompt)
        },
      },
    )
  return (
    <EmptyState
      icon={<MessageSquareTextIcon />}
      title="No prompts yet"
      description={
        <>
          A prompt is a text that you run again and again. What changes from run to run is a variable.
          <span className="mt-3 block rounded-card border border-line bg-inset p-3.5 text-left">
            <TemplateText text={EXAMPLE.content} />
          </span>
        </>
      }
      action={
        <>
          <Button variant="secondary" onClick={onCreate}>
            <PlusIcon />
            Write your own
          </Button>
          {category && (
            <Button pending={create.isPending} onClick={() => guard(() => createAndRun(category.id))}>
              {!create.isPending && <PlayIcon />}
              Create and run this example
            </Button>
          )}
        </>
      }
    />
  )
}
