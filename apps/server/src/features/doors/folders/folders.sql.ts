import { fileNameOf } from '@catenary/domain/folder'
import { and, eq } from 'drizzle-orm'
import { chainLabels, chains, promptLabels, prompts } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'
import { listSuitesOf } from '../../exports/exports.ts'

interface Of {
  kind: 'prompt' | 'chain'
  recordId: number
  slug: string
}

/** Finds a suite of the person's own prompts and chains, by its path or by the names of its record and file. */
export async function findOwnSuite(
  db: Executor,
  { ownerId, wanted }: { ownerId: number; wanted: string },
): Promise<(Of & { id: number }) | undefined> {
  const parts = wanted
    .replace(/^suites\//, '')
    .replace(/\.yaml$/, '')
    .split('/')
  const [slug = '', file = ''] = parts.slice(-2)
  const folder = parts.length === 3 ? parts[0] : undefined
  const candidates: Of[] = []
  if (folder !== 'chains') {
    const rows = await db
      .select({ id: prompts.id })
      .from(prompts)
      .where(and(eq(prompts.ownerId, ownerId), eq(prompts.slug, slug)))
    candidates.push(...rows.map(({ id }) => ({ kind: 'prompt' as const, recordId: id, slug })))
  }
  if (folder !== 'prompts') {
    const rows = await db
      .select({ id: chains.id })
      .from(chains)
      .where(and(eq(chains.ownerId, ownerId), eq(chains.slug, slug)))
    candidates.push(...rows.map(({ id }) => ({ kind: 'chain' as const, recordId: id, slug })))
  }
  for (const of of candidates) {
    const taken = new Set<string>()
    const suites = await listSuitesOf(db, { kind: of.kind, ids: [of.recordId] })
    const found = suites.find(({ name }) => fileNameOf(name, taken) === file)
    if (found !== undefined) return { ...of, id: found.id }
  }
  return undefined
}

export async function findLabelVersion(
  db: Executor,
  { kind, id, label }: { kind: 'prompt' | 'chain'; id: number; label: string },
): Promise<number | undefined> {
  const labels = kind === 'prompt' ? promptLabels : chainLabels
  const [found] = await db
    .select({ version: labels.version })
    .from(labels)
    .where(and(eq(labels.recordId, id), eq(labels.label, label)))
  return found?.version
}
