import { webhooks } from '../../database/schema/index.ts'
import { sealedColumn } from '../../database/statements/sealed-columns.ts'
import { contextOf } from './webhook-secrets.ts'

const ofColumn = (what: string, name: 'sealedSecret' | 'sealedFormers') =>
  sealedColumn({
    what,
    id: webhooks.id,
    column: webhooks[name],
    beside: { userId: webhooks.userId },
    contextOf,
  })

export const sealedWebhookSecrets = [
  ofColumn('secrets of webhooks', 'sealedSecret'),
  ofColumn('former secrets of webhooks', 'sealedFormers'),
]
