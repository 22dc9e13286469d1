import type { AttachmentKind } from '@catenary/contracts'
import { FileTextIcon, ImageIcon } from 'lucide-react'
import { useLocation } from 'wouter'
import { Button } from '../../components/ui/button.tsx'
import { FileLine } from '../files/file-zone.tsx'
import { AttachmentFacts } from '../files/thumbnail.tsx'
import { useModels } from '../model-settings/models.ts'
import { type MediaVariable, useMediaVariables } from '../variables/media-variables.ts'

export interface PromptAttachmentsProps {
  content: string
  model: string | null
}

export function PromptAttachments({ content, model }: PromptAttachmentsProps) {
  const media = useMediaVariables(content)
  if (media.length === 0) return null
  const kinds = [...new Set(media.map(({ kind }) => kind))]
  return (
    <section aria-label="Attachments" className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <h4 className="text-xs font-medium tracking-normal text-text-2">Attachments</h4>
        {kinds.map((kind) => (
          <Seers key={kind} kind={kind} model={model} />
        ))}
      </div>
      <ul className="divide-y divide-line rounded-control border border-line">
        {media.map((each) => (
          <AttachmentRow key={each.name} media={each} />
        ))}
      </ul>
    </section>
  )
}

function AttachmentRow({ media: { name, kind, variable, media } }: { media: MediaVariable }) {
  const [, navigate] = useLocation()
  const Icon = kind === 'image' ? ImageIcon : FileTextIcon
  const action = variable.canEdit ? 'Replace' : 'Show'
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-2.5 py-2">
      <div className="min-w-0 flex-1 basis-52">
        {media === null ? (
          <FileLine
            icon={<Icon aria-hidden="true" />}
            title={`$<${name}>`}
            note={`${kind === 'image' ? 'image' : 'PDF'} · each run or call supplies its own`}
          />
        ) : (
          <AttachmentFacts {...media} name={name} />
        )}
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-label={`${action} the variable ${variable.name}`}
        onClick={() => navigate(`/variables?variable=${variable.id}`)}
      >
        {action}
      </Button>
    </li>
  )
}

const AND = new Intl.ListFormat('en', { type: 'conjunction' })
const WORDS = { image: 'images', document: 'PDFs' } as const
const ABILITIES = { image: 'images', document: 'documents' } as const

function Seers({ kind, model }: { kind: AttachmentKind; model: string | null }) {
  const models = useModels().filter(({ configured, capabilities }) => configured && capabilities)
  const sees = (each: (typeof models)[number]) => each.capabilities?.[ABILITIES[kind]] === true
  const chosen = models.find(({ alias }) => alias === model)
  if (chosen && !sees(chosen)) {
    return (
      <p role="status" className="text-xs text-warn">
        {chosen.label} can’t see {WORDS[kind]}: choose another model.
      </p>
    )
  }
  const [seeing, blind] = [models.filter(sees), models.filter((each) => !sees(each))]
  const parts = [
    seeing.length > 0 && `${labels(seeing)} ${seeing.length === 1 ? 'sees' : 'see'} ${WORDS[kind]}`,
    blind.length > 0 && `${labels(blind)} can’t${seeing.length > 0 ? '' : ` see ${WORDS[kind]}`}`,
  ]
  return <p className="min-w-0 text-xs text-text-3 wrap-anywhere">{parts.filter(Boolean).join(', ')}</p>
}

const labels = (models: readonly { label: string }[]) => AND.format(models.map(({ label }) => label))
