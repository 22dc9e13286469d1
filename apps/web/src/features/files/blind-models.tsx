import type { AttachmentKind } from '@catenary/contracts'
import { useModels } from '../../lib/models.ts'

const AND = new Intl.ListFormat('en', { type: 'conjunction' })

/** Which of the models that are set up can't see what is chosen; nothing where all can, or none is known to. */
export function BlindModels({ kind }: { kind: AttachmentKind }) {
  const models = useModels().filter(({ configured }) => configured)
  const ability = kind === 'image' ? 'images' : 'documents'
  const blind = models.filter(({ capabilities }) => capabilities?.[ability] === false)
  if (blind.length === 0) return null
  return (
    <p className="text-xs text-text-3">
      {AND.format(blind.map(({ label }) => label))} can’t see {kind === 'image' ? 'images' : 'PDFs'}.
    </p>
  )
}
