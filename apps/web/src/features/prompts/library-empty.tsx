import type { Category } from '@catenary/contracts'
import { useMutation } from '@tanstack/react-query'
import { MessageSquareTextIcon, PlayIcon, PlusIcon } from 'lucide-react'
import { EmptyState } from '../../components/empty-state.tsx'
import { TemplateText } from '../../components/template-text.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useAuthGate } from '../../lib/auth-gate.tsx'

/** A prompt with the variable that it takes. */
export interface LibraryExample {
  title: string
  content: string
  categoryId: number
  variable: { name: string; content: string }
}

const EXAMPLE = {
  title: 'Welcome letter',
  content:
    'Write a short, warm welcome for $<customer>. Name one thing to try first, and end with a question.',
  variable: { name: 'customer', content: 'Ada Lovelace' },
}

/** A library without prompts: one example that is created and run in a click. */
export function EmptyLibrary({
  categories,
  onCreate,
  onTryExample,
}: {
  categories: readonly Category[]
  onCreate: () => void
  /** Makes the example with its variable, and runs it. */
  onTryExample: (example: LibraryExample) => Promise<void>
}) {
  const guard = useAuthGate()
  const { mutate, isPending } = useMutation({ mutationFn: onTryExample, meta: { failure: false } })
  const category = categories.find(({ name }) => name === 'Writing') ?? categories[0]
  const createAndRun = (categoryId: number) => mutate({ ...EXAMPLE, categoryId })
  return (
    <EmptyState
      icon={<MessageSquareTextIcon />}
      title="No prompts yet"
      about="prompts"
      description={
        <>
          A prompt is a text that you run again and again. What changes from run to run is a variable.
          <span className="mt-3 block rounded-card border border-line bg-inset p-3.5 text-left">
            <TemplateText text={EXAMPLE.content} />
            <span className="mt-2 block border-t border-line pt-2 text-xs text-text-3">
              <code className="rounded-[4px] bg-ref-soft px-1 text-ref">
                $&lt;{EXAMPLE.variable.name}&gt;
              </code>{' '}
              is a variable: {EXAMPLE.variable.content}
            </span>
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
            <Button pending={isPending} onClick={() => guard(() => createAndRun(category.id))}>
              {!isPending && <PlayIcon />}
              Create and run this example
            </Button>
          )}
        </>
      }
    />
  )
}
