import type { UpdateChainRequest } from '@catenary/contracts'
import { namedAfter, textNames } from '../../../consent.ts'
import type { Transaction } from '../../../db/executor.ts'
import { splitStepSettings } from '../../../model-settings.ts'
import type { Change } from '../../../record-access.ts'
import { openForChange } from '../chain-access.service.ts'
import type { StepFields } from '../chain-record.ts'
import { deleteStepRow, insertStep, listStepNames, updateStepRow } from '../chain-steps.repository.ts'
import type { SavedChain } from '../chain-versions.repository.ts'
import { findChain } from '../chains.repository.ts'
import { saveFields } from './change-chain.ts'

export interface WholeChain extends Change {
  fields: Omit<UpdateChainRequest, 'revision'>
  steps: readonly StepFields[]
}

/** These steps, which no form has shown, in place of those that there are, each in that of its output name, as one version; in the caller's transaction. */
export async function replaceChainIn(
  tx: Transaction,
  { fields, steps, ...change }: WholeChain,
): Promise<SavedChain & { revision: number }> {
  const { user } = change
  const chain = await openForChange(tx, change)
  const { id: chainId } = chain
  const before = new Map(
    (await listStepNames(tx, chainId)).map(({ outputVariableName, ...step }) => [
      outputVariableName.toLowerCase(),
      step,
    ]),
  )
  const wanted = new Set(steps.map(({ outputVariableName }) => outputVariableName.toLowerCase()))
  for (const [name, { id }] of before) if (!wanted.has(name)) await deleteStepRow(tx, { id, chainId })
  for (const [position, step] of steps.entries()) {
    const { columns, settings } = splitStepSettings(step)
    const stood = before.get(step.outputVariableName.toLowerCase())
    const names = textNames({ ...columns, settings: { ...settings, systemPrompt: columns.systemPrompt } })
    const namedBy = namedAfter({ before: stood?.namedBy ?? {}, names, userId: user.id, isShown: false })
    const row = { ...columns, settings, namedBy, position, chainId }
    if (stood === undefined) await insertStep(tx, row)
    else await updateStepRow(tx, { ...row, id: stood.id })
  }
  const saved = await saveFields(tx, { chain, fields, user })
  const { revision } = await findChain(tx, { id: chainId, viewerId: user.id })
  return { ...saved, revision }
}
