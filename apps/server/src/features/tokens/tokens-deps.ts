import type { Database } from '../../db/executor.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { ChainsService } from '../chains/chains.ts'
import type { TokenUses } from './token-uses.service.ts'

/** What the operations of tokens work with. */
export interface TokensDeps {
  db: Database
  now: () => Date
  chains: Pick<ChainsService, 'requireEditable' | 'requireLabel'>
  secrets: SecretBox
  uses: Pick<TokenUses, 'list'>
  /** TOKEN_REVEAL: values are kept, sealed, so that they can be copied again. */
  keepsValues: boolean
}
