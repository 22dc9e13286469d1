import type { Database } from '../../db/executor.ts'
import type { WebhooksService } from '../webhooks/webhooks.ts'
import type { RecordPorts } from './record-port.ts'
import type { ReleaseGate } from './release-gate.ts'

/** What the operations of records work with. */
export interface RecordsDeps {
  db: Database
  ports: RecordPorts
  gate: ReleaseGate
  webhooks: Pick<WebhooksService, 'tell' | 'tellAlone'>
}
