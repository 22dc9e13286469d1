import { EXPORT_FORMATS, type ExportFormat, type Ownership } from '@catenary/contracts'
import { folderExamples } from '@catenary/domain'
import { DownloadIcon, FileJsonIcon, FlaskConicalIcon, FolderGit2Icon, KeyRoundIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'wouter'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { LearnMore } from '../../components/learn-more.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ChoiceList, ChoiceListItem } from '../../components/ui/choice-list.tsx'
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../components/ui/segmented-control.tsx'
import { apiPath } from '../../lib/api.ts'
import { FORMATS } from './export-formats.ts'

const ICONS = { folder: FolderGit2Icon, langfuse: FileJsonIcon, promptfoo: FlaskConicalIcon }

export default function ExportDialog({ onClose }: { onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('folder')
  const [ownership, setOwnership] = useState<Ownership>('mine')
  const descriptionId = useId()
  const { file } = FORMATS[format]
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent aria-describedby={descriptionId} className="max-w-[1080px]">
        <DialogHeader>
          <DialogTitle>Export</DialogTitle>
          <DialogDescription id={descriptionId}>
            Readable names, stable order: clean diffs in Git.
          </DialogDescription>
        </DialogHeader>
        <div className="min-h-0 flex-1 overflow-y-auto md:grid md:grid-cols-[minmax(0,1fr)_400px] md:overflow-hidden">
          <div className="grid content-start gap-4 px-5 pb-5 md:min-h-0 md:overflow-y-auto">
            <FormatChoice value={format} onChange={setFormat} />
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <SegmentedControl<Ownership>
                aria-label="What is exported"
                value={ownership}
                onValueChange={setOwnership}
              >
                <SegmentedControlItem value="mine">Mine</SegmentedControlItem>
                <SegmentedControlItem value="shared">Shared with me</SegmentedControlItem>
                <SegmentedControlItem value="all">All I can see</SegmentedControlItem>
              </SegmentedControl>
              <p className="min-w-0 flex-1 basis-[220px] text-sm text-text-2">
                Not included: values of variables, tokens, shares, labels, runs and earlier versions.
              </p>
            </div>
            {format === 'folder' && <GitPanel />}
          </div>
          <Sample format={format} />
        </div>
        <DialogFooter start={<LearnMore about="exporting" />}>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          <Button asChild>
            <a href={exportAddress({ format, ownership })} download={file} data-first-focus>
              <DownloadIcon />
              Download
            </a>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

function FormatChoice({
  value,
  onChange,
}: {
  value: ExportFormat
  onChange: (format: ExportFormat) => void
}) {
  return (
    <ChoiceList
      aria-label="Form"
      value={value}
      onValueChange={(format) => onChange(format as ExportFormat)}
      className="gap-1"
    >
      {EXPORT_FORMATS.map((format) => {
        const Icon = ICONS[format]
        const { name, file, says } = FORMATS[format]
        return (
          <ChoiceListItem
            key={format}
            value={format}
            className="grid-cols-[auto_minmax(0,1fr)] gap-x-3 border border-line px-3 py-2.5 data-[state=checked]:border-accent"
          >
            <Icon aria-hidden="true" className="row-span-2 mt-0.5 size-4 text-text-2" />
            <span className="flex flex-wrap items-baseline gap-x-2 text-sm font-medium">
              {name}
              <span className="font-mono text-xs font-normal text-text-3">{file}</span>
            </span>
            <span className="text-sm text-text-2">{says}</span>
          </ChoiceListItem>
        )
      })}
    </ChoiceList>
  )
}

function Sample({ format }: { format: ExportFormat }) {
  const { name, sample } = FORMATS[format]
  return (
    <aside
      aria-label="How it looks"
      className="grid min-w-0 content-start gap-2 border-line bg-inset p-4 max-md:border-t md:min-h-0 md:overflow-y-auto md:border-l"
    >
      <p className="text-sm font-medium">{name} example</p>
      <pre className="font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap text-text-2">
        {sample}
      </pre>
    </aside>
  )
}

function exportAddress(query: { format: ExportFormat; ownership: Ownership }): string {
  return apiPath('GET /api/export', { query })
}

function GitPanel() {
  const [pull] = folderExamples({ address: window.location.origin })
  if (pull === undefined) return null
  return (
    <section aria-labelledby="keep-in-git" className="grid gap-3 rounded-card border border-line p-3.5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-[240px] gap-0.5">
          <h3 id="keep-in-git" className="text-sm font-semibold">
            Keep it in Git
          </h3>
          <p className="text-sm text-text-2">
            The same folder from the command line, on your machine or in CI. Git stays yours; the server never
            runs it.
          </p>
        </div>
        <Button asChild variant="secondary" size="sm">
          <Link href="/connect?token=new&of=folder">
            <KeyRoundIcon />
            Create folder token
          </Link>
        </Button>
      </div>
      <div className="flex min-w-0 items-start gap-2 rounded-control bg-inset py-2 pr-1.5 pl-3">
        <pre className="min-w-0 flex-1 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap">
          {pull.code}
        </pre>
        <CopyButton text={pull.code} label="Copy the commands" />
      </div>
    </section>
  )
}
