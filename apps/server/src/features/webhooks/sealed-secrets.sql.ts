import { webhooks } from '../../db/schema/index.ts'
import { sealedColumn } from '../../db/sql/sealed-columns.ts'
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
