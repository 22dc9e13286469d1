import type { User, VariableUsage } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import type { AppContext, SqlContext } from '../../platform/context.ts'
import { canEditRecord, namedAfterRename, promptSettingsOf, renameInTemplates } from '../records/records.ts'
import {
  countPromptsByReference,
  listReferringPrompts,
  lockReferringPrompts,
} from './prompt-references.sql.ts'
import { insertPromptVersion } from './prompt-versions.sql.ts'
import { updatePromptRow } from './prompts.sql.ts'

export async function countPromptsByName({ db }: AppContext, { id }: User): Promise<Map<string, number>> {
  const rows = await countPromptsByReference(db, { ownerId: id })
  return new Map(rows.map((row) => [row.name, row.count]))
}

export async function listPromptsByName(
  { db }: AppContext,
  { name, viewer }: { name: string; viewer: User },
): Promise<VariableUsage['prompts']> {
  const rows = await listReferringPrompts(db, { viewerId: viewer.id, name: name.toLowerCase() })
  return rows.map(({ id, title, ...subject }) => ({ id, title, canEdit: canEditRecord(viewer, subject) }))
}

export async function renameInPrompts(
  { db }: SqlContext<Transaction>,
  { from, to, user }: { from: string; to: string; user: User },
): Promise<void> {
  const referring = await lockReferringPrompts(db, { ownerId: user.id, name: from.toLowerCase() })
  for (const { id, title, content, version, settings, namedBy: before } of referring) {
    const { systemPrompt = null, messages = [] } = settings ?? {}
    const renamed = renameInTemplates(
      { content, systemPrompt, messages },
      { from, to, of: `the prompt “${title}”` },
    )
    if (renamed === null) continue
    const { content: newContent, ...texts } = renamed
    const namedBy = namedAfterRename(before, { from, to, userId: user.id })
    const saved = { content: newContent, settings: promptSettingsOf({ ...settings, ...texts }), namedBy }
    const number = version + 1
    await insertPromptVersion(db, { promptId: id, number, title, ...saved, authorId: user.id })
    await updatePromptRow(db, { id, version: number, title, ...saved })
  }
}
