import type {
  Chain,
  ChainVersion,
  ListedChainVersion,
  ListedPromptVersion,
  Prompt,
  PromptVersion,
  RecordKind,
  User,
} from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, slot } from '../../platform/context.ts'
import type { Change } from '../../record-access.ts'

/** A prompt or a chain. */
export interface RecordKey {
  kind: RecordKind
  id: number
}

/** What a user may do with a record. */
export interface RecordRights {
  canView: boolean
  canEdit: boolean
}

/** A record as one user has it. */
export interface RecordView extends RecordRights {
  id: number
  owner: string
  ownerId: number
  version: number
  canShare: boolean
}

/** What each kind is, and what its versions are. */
export interface RecordTypes {
  prompt: { record: Prompt; version: PromptVersion; listedVersion: ListedPromptVersion }
  chain: { record: Chain; version: ChainVersion; listedVersion: ListedChainVersion }
}

/** How prompts and chains answer to what is done to both in one way. */
export interface RecordPort<Kind extends RecordKind> {
  /** Throws `not_found` for what the user can't see. */
  findVisible: (ctx: SqlContext, wanted: { id: number; user: User | null }) => Promise<RecordView>
  /** Locks it for the transaction; throws unless the user may change it. */
  openForChange: (ctx: SqlContext<Transaction>, change: Change) => Promise<RecordView>
  /** After its shares were written: raises its revision, which lists and caches go by. */
  touch: (ctx: SqlContext<Transaction>, id: number) => Promise<void>
  /** Newest first, from before a number on. */
  listVersions: (ctx: SqlContext, wanted: VersionsPart) => Promise<RecordTypes[Kind]['listedVersion'][]>
  findVersion: (
    ctx: SqlContext,
    wanted: { id: number; number: number; user: User },
  ) => Promise<RecordTypes[Kind]['version'] | undefined>
  /** Saves what the version holds as a new one, as `openForChange` allows; undefined where there is none of that number. */
  restoreVersion: (
    ctx: SqlContext<Transaction>,
    change: Change & { number: number },
  ) => Promise<RecordTypes[Kind]['record'] | undefined>
}

interface VersionsPart {
  id: number
  user: User
  before: number | undefined
  limit: number
}

const NOT_FOUND = { chain: 'Chain not found', prompt: 'Prompt not found' }

/** Also for what the person can't see. */
export const recordNotFound = (kind: RecordKind) => new AppError('not_found', NOT_FOUND[kind])

export type RecordPorts = { [Kind in RecordKind]: RecordPort<Kind> }

const NO_RIGHTS: RecordRights = { canView: false, canEdit: false }

/** What prompts and chains, which stand above, answer by. */
export const recordPortsSlot = slot<RecordPorts>()

export const portOf = <Kind extends RecordKind>(ctx: Context, kind: Kind): RecordPort<Kind> =>
  recordPortsSlot.of(ctx)[kind]

/** No rights to what is gone or what the user can't see. */
export async function findRecordRights(
  ctx: Context,
  { kind, id, user }: RecordKey & { user: User },
): Promise<RecordRights> {
  try {
    return await portOf(ctx, kind).findVisible(ctx, { id, user })
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return NO_RIGHTS
    throw error
  }
}
