import type { Instance, User } from '@catenary/contracts'
import { type Context, onePerApp } from '../../platform/context.ts'
import { readBuild } from '../../platform/http/web-app.ts'
import { readVersion } from '../../version.ts'
import { registrationNow } from '../accounts/accounts.ts'
import { listModelsFor } from '../models/models.ts'
import { checkThatItWrites } from './instance.sql.ts'

export const webBuild = onePerApp(({ webDirectory }) => readBuild(webDirectory))

export async function describeInstance(ctx: Context, user: User | null): Promise<Instance> {
  const { mail, models, move } = ctx
  return {
    ...readVersion(),
    build: await webBuild(ctx),
    registration: await registrationNow(ctx),
    sandbox: models.isSandbox(),
    models: listModelsFor(ctx, user).map((model) => ({
      ...model,
      configured: model.configured || models.isSandbox(),
    })),
    mail: mail.isSetUp,
    readOnly: move.current(),
  }
}

/** Fails unless the database answers, is migrated and takes writes. */
export const checkDatabase = ({ db }: Context): Promise<void> => checkThatItWrites(db)
