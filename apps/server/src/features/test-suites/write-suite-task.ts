import { exportSuite, type SuiteDraft } from '@catenary/domain/promptfoo'

export default function work(suite: SuiteDraft): string {
  return exportSuite(suite)
}
