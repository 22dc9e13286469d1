import type { ActivityDoor } from '@catenary/contracts'
import type { Database, Executor, Transaction } from '../database/statements/executor.ts'
import type { Platform } from './platform.ts'

export interface SqlContext<Db extends Executor = Executor> {
  db: Db
}

/** Who acts, by which door and from where. */
export interface Actor {
  personId: number | null
  door: ActivityDoor
  address: string | null
  /** What is done is a part of what is recorded as a whole. */
  isPart?: true
}

const PROGRAM: Actor = { personId: null, door: 'job', address: null }
export const OPERATOR: Actor = { personId: null, door: 'command line', address: null }

/** What writes by itself who did it. */
export interface ActorContext<Db extends Executor = Executor> extends SqlContext<Db> {
  actor: Actor
}

export interface Context<Db extends Executor = Executor> extends Omit<Platform, 'db'>, ActorContext<Db> {
  app: AppContext
}

export type AppContext = Context<Database>

export function createContext(platform: Platform): AppContext {
  const app: AppContext = {
    ...platform,
    actor: PROGRAM,
    get app() {
      return app
    },
  }
  return app
}

/** Joins the open transaction, or begins one with `settings`. Call the work's parameter `ctx`, so no other is in reach. */
export function transaction<Result>(
  ctx: Context,
  work: (ctx: Context<Transaction>) => Promise<Result>,
  settings?: Parameters<Database['transaction']>[1],
): Promise<Result> {
  const { db } = ctx
  if (!('$client' in db)) return work({ ...ctx, db })
  return db.transaction((tx) => work({ ...ctx, db: tx }), settings)
}

/** A cache, a limit, a prepared statement: made when it is first asked for, once for each running program. */
export function onePerApp<One>(make: (ctx: AppContext) => One): (ctx: Context) => One {
  const made = new WeakMap<Context, { one: One }>()
  return ({ app }) => {
    const known = made.get(app)
    if (known !== undefined) return known.one
    const one = make(app)
    made.set(app, { one })
    return one
  }
}

/** A place for what a lower feature asks of a higher one: filled once at the start. */
export function slot<Given>() {
  const given = new WeakMap<Context, Given>()
  return {
    fill: (ctx: Context, value: Given): Given => {
      given.set(ctx.app, value)
      return value
    },
    of: (ctx: Context): Given => {
      const value = given.get(ctx.app)
      if (value === undefined) throw new Error('Nobody filled this slot at the start')
      return value
    },
  }
}
