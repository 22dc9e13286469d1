import type { Instance } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Models } from '../../platform/models/models.ts'
import { readVersion } from '../../version.ts'
import { checkThatItWrites } from './instance.repository.ts'

export type InstanceService = ReturnType<typeof createInstanceService>

export interface InstanceDeps {
  db: Database
  models: Pick<Models, 'describe' | 'isSandbox'>
  registrationNow: () => Promise<Instance['registration']>
  mail: Pick<Mail, 'isSetUp'>
  /** The build of the served web app. */
  build: string
}

/** What this installation is, and whether it is well. */
export function createInstanceService({ db, models, registrationNow, mail, build }: InstanceDeps) {
  return {
    /** What every visitor may know. */
    describe: async (): Promise<Instance> => ({
      ...readVersion(),
      build,
      registration: await registrationNow(),
      sandbox: models.isSandbox(),
      models: models
        .describe()
        .map((model) => ({ ...model, configured: model.configured || models.isSandbox() })),
      mail: mail.isSetUp,
    }),

    /** Fails unless the database answers, is migrated and takes writes. */
    checkDatabase: () => checkThatItWrites(db),
  }
}
