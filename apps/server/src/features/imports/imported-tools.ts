import { toolAsImported } from '@catenary/contracts'
import type { LossDraft } from '@catenary/domain/imports'
import type { Import } from './import-types.ts'

/** What a step does outside names nobody here before whoever imports it has written whom: a file is another’s word. */
export function withImportedTools(planned: Import): Import {
  const losses: LossDraft[] = []
  const chains = planned.own.chains.map((match) => {
    if (match.state === 'same') return match
    const at = planned.request.files[match.file]?.name ?? ''
    const steps = match.record.steps.map((step, index) => {
      const imported = step.settings.tool && toolAsImported(step.settings.tool)
      if (!imported) return step
      losses.push({ at: `${at} › steps[${index}]`, reason: imported.lost })
      return { ...step, settings: { ...step.settings, tool: imported.tool } }
    })
    return { ...match, record: { ...match.record, steps } }
  })
  return { ...planned, own: { ...planned.own, chains }, losses: [...planned.losses, ...losses] }
}
