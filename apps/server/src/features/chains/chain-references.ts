import { isDeepStrictEqual } from 'node:util'
import { OWN_FIELDS, type StepSettings, type User, type VariableUsage } from '@catenary/contracts'
import { renameInFlow } from '@catenary/domain'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import type { AppContext, SqlContext } from '../../platform/context.ts'
import { canEditRecord, namedAfterRename, renameInTemplates, stepSettingsOf } from '../records/records.ts'
import {
  countChainsByReference,
  listReferringChains,
  listReferringSteps,
  lockReferringChains,
  touchChains,
  updateStepTexts,
} from './chain-references.sql.ts'

export async function countChainsByName({ db }: AppContext, { id }: User): Promise<Map<string, number>> {
  const rows = await countChainsByReference(db, { userId: id })
  return new Map(rows.map((row) => [row.name, row.count]))
}

export async function listChainsByName(
  { db }: AppContext,
  { name, viewer }: { name: string; viewer: User },
): Promise<VariableUsage['chains']> {
  const rows = await listReferringChains(db, { viewerId: viewer.id, name: name.toLowerCase() })
  return rows.map(({ id, name, steps, ...subject }) => ({
    id,
    name,
    steps,
    canEdit: canEditRecord(viewer, subject),
  }))
}

export async function renameInChains(
  { db }: SqlContext<Transaction>,
  { from, to, user }: { from: string; to: string; user: User },
): Promise<void> {
  const name = from.toLowerCase()
  const chainIds = await lockReferringChains(db, { ownerId: user.id, name })
  if (chainIds.length === 0) return
  const changed = new Set<number>()
  const steps = await listReferringSteps(db, { chainIds, name })
  for (const { id, chainId, title, settings, outputs, namedBy: before, ...texts } of steps) {
    const isOutput = (output: string) => outputs.includes(output)
    const flow = renameInFlow({ ...settings }, { from, to, isOutput })
    const old = { ...texts, messages: settings?.messages ?? [] }
    const renamed = renameInTemplates(old, { from, to, of: `the step “${title}”` })
    if (renamed === null && isDeepStrictEqual(flow, { ...settings })) continue
    requireFlowFits({ flow, title })
    const { messages, ...columns } = renamed ?? old
    const namedBy = namedAfterRename(before, { from, to, userId: user.id })
    const newSettings = stepSettingsOf({ ...flow, messages })
    await updateStepTexts(db, { id, ...columns, namedBy, settings: newSettings })
    changed.add(chainId)
  }
  if (changed.size > 0) await touchChains(db, [...changed])
}

function requireFlowFits({ flow, title }: { flow: StepSettings; title: string }): void {
  if (OWN_FIELDS.every(({ texts, textMax }) => texts(flow).every((text) => text.length <= textMax))) return
  throw new AppError('invalid', `With the longer name, the text of the step “${title}” would be too long`)
}
