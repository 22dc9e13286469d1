import type { Transaction } from '../../db/executor.ts'
import type { WebhooksService } from '../webhooks/webhooks.ts'
import type { Import, Made } from './import-types.ts'
import type { AllMade } from './make-import.ts'

/** Webhooks are told of an import that made something. */
export async function tellDone(
  webhooks: Pick<WebhooksService, 'tell'>,
  tx: Transaction,
  { user, losses, made }: Import & { made: AllMade },
): Promise<void> {
  const { id } = made
  if (id === null) return
  const all = [...made.prompts.values(), ...made.chains, ...made.suites]
  const countOf = (kind: Made['made']) => all.filter((each) => each.made === kind).length
  await webhooks.tell(tx, {
    type: 'import.done',
    key: `import:${id}`,
    object: `import:${id}`,
    audience: { userId: user.id },
    data: {
      importId: id,
      new: countOf('new'),
      versions: countOf('version'),
      copies: countOf('copy'),
      losses: losses.length,
    },
  })
}
