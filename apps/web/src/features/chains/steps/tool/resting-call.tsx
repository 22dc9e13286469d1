import type { AllowedCall, Chain, ChainStep } from '@catenary/contracts'
import { FieldChanges } from '../../../../components/text-diff/field-changes.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { toast, toastFailure } from '../../../../lib/toast.ts'
import { flowChanges } from '../flow/flow-form.ts'
import { useAllowCall } from './sealed.queries.ts'
import { toolKind } from './tool-kind.ts'

interface RestingCallProps {
  chain: Pick<Chain, 'id' | 'revision'>
  step: ChainStep
  allowed: AllowedCall
}

/** What somebody else changed of a call, for the owner of the chain, whose credential goes out with it. */
export default function RestingCall({ chain, step, allowed }: RestingCallProps) {
  const allow = useAllowCall()
  const before = { ...step, tool: allowed.tool, forEach: allowed.forEach ?? undefined }
  const sides = { before, after: step }
  const changes = [...flowChanges(sides), ...toolKind.own.changes(sides), ...toolKind.own.textChanges(sides)]
  return (
    <section
      aria-label="Changed call"
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-control border border-warn px-3 py-2.5"
    >
      <p className="text-sm text-warn">
        Somebody else changed this call. Runs fail at this step until you allow it.
      </p>
      <FieldChanges changes={changes} />
      <Button
        size="sm"
        variant="secondary"
        pending={allow.isPending}
        className="justify-self-start"
        onClick={() =>
          allow.mutate(
            { chainId: chain.id, stepId: step.id, revision: chain.revision },
            {
              onSuccess: () => toast({ title: 'Call allowed', description: 'Runs make it from now on.' }),
              onError: toastFailure('Failed to allow the call'),
            },
          )
        }
      >
        Allow the call
      </Button>
    </section>
  )
}
