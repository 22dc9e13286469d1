import { LinkIcon, PlayIcon, PlusIcon } from 'lucide-react'
import { useLocation } from 'wouter'
import { EmptyState } from '../../../components/empty-state.tsx'
import { TemplateText } from '../../../components/template-text.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useAuthGate } from '../../accounts/auth-gate.tsx'
import { useCreateChain, useCreateStep } from '../chains.queries.ts'

const EXAMPLE = {
  name: 'Thank a customer',
  description: 'Finds what to say, then says it.',
  steps: [
    {
      title: 'Find the point',
      content: 'Name one reason to thank a customer, in six words.',
      outputVariableName: 'reason',
    },
    {
      title: 'Write the note',
      content: 'Write a two-line thank-you note about this: {{reason}}',
      outputVariableName: 'note',
    },
  ],
}

export function NoChains({ isGuest, onCreate }: { isGuest: boolean; onCreate: () => void }) {
  const guard = useAuthGate()
  const { createExample, isPending } = useExample()
  return (
    <EmptyState
      icon={<LinkIcon />}
      title="No chains found."
      about="chains"
      description={
        <>
          A chain passes the answer of one prompt on to the next.
          <ol className="mt-3 grid gap-2 text-left">
            {EXAMPLE.steps.map(({ title, content, outputVariableName }, index) => (
              <li key={title} className="rounded-card border border-line bg-inset p-3.5">
                <span className="mb-1 flex items-baseline justify-between gap-3 text-xs">
                  <span className="font-medium text-text">
                    {index + 1} · {title}
                  </span>
                  <code className="rounded-[4px] bg-out-soft px-1 text-out">{`{{${outputVariableName}}}`}</code>
                </span>
                <TemplateText text={content} outputs />
              </li>
            ))}
          </ol>
        </>
      }
      action={
        isGuest ? (
          <Button onClick={() => guard(onCreate)}>Log in to create one</Button>
        ) : (
          <>
            <Button variant="secondary" pending={isPending} onClick={() => void createExample()}>
              {!isPending && <PlayIcon />}
              Create and open this example
            </Button>
            <Button onClick={onCreate}>
              <PlusIcon />
              Create Your First Chain
            </Button>
          </>
        )
      }
    />
  )
}

function useExample() {
  const [, navigate] = useLocation()
  const { mutateAsync: createChain, isPending: isCreating } = useCreateChain()
  const { mutateAsync: createStep, isPending: isFilling } = useCreateStep()
  const createExample = async () => {
    const { steps, ...fields } = EXAMPLE
    try {
      const { id: chainId } = await createChain(fields)
      for (const [index, step] of steps.entries()) {
        await createStep({ chainId, body: { ...step, position: index + 1 } })
      }
      navigate(`/chains/${chainId}`)
    } catch (error) {
      toast({ title: 'Error', description: errorReason(error), variant: 'destructive' })
    }
  }
  return { createExample, isPending: isCreating || isFilling }
}
