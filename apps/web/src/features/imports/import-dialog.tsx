import { CircleAlertIcon, DownloadIcon } from 'lucide-react'
import { type DragEvent, type RefObject, useId, useRef, useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { cn } from '../../lib/utils.ts'
import { filesOf } from './chosen-files.ts'
import { DoneView } from './done-view.tsx'
import { FileStrip } from './file-strip.tsx'
import { listedNames, sentenceOf } from './import-plan.ts'
import { ImportReport } from './import-report.tsx'
import { StartView } from './start-view.tsx'
import { type ImportDialogState, useImportDialog } from './use-import-dialog.ts'

export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const state = useImportDialog()
  const [isOver, setIsOver] = useState(false)
  const surface = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const descriptionId = useId()
  const { files, done, undone, plan, isImporting } = state
  const canImport = done === null && undone === null && plan.total > 0 && !isImporting && !state.isReading
  useShortcut({ id: 'submit', within: surface, onPress: () => canImport && void state.submit() })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    if (done === null) void filesOf(event.dataTransfer).then(state.add)
  }
  return (
    <Dialog open onOpenChange={(open) => open || isImporting || onClose()}>
      <DialogContent
        aria-describedby={descriptionId}
        className={cn('max-w-[1080px]', isOver && 'border-accent')}
        onInteractOutside={(event) => files.length > 0 && done === null && event.preventDefault()}
        onOpenAutoFocus={(event) => {
          // On touch a field would bring up the keyboard.
          const isTouch = globalThis.matchMedia?.('(pointer: coarse)').matches
          const target = isTouch ? event.currentTarget : surface.current?.querySelector('textarea')
          if (!(target instanceof HTMLElement)) return
          event.preventDefault()
          target.focus()
        }}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        {/* The dialog’s own box is watched by its kit. */}
        <div ref={surface} className="contents">
          <DialogHeader closeDisabled={isImporting}>
            <DialogTitle>Import</DialogTitle>
            <DialogDescription id={descriptionId}>
              {done || undone ? 'Result' : 'This is a dry run. Nothing is saved until you press Import.'}
            </DialogDescription>
          </DialogHeader>
          {state.problem && (
            <Banner variant="danger" role="alert" icon={<CircleAlertIcon />} className="mx-5 mb-3">
              {state.problem}
            </Banner>
          )}
          <Content
            state={state}
            onChoose={() => input.current?.click()}
            onChooseFolder={() => folder.current?.click()}
          />
          <Picker label="Choose files" refTo={input} onPick={state.add} />
          <Picker label="Choose a folder" refTo={folder} onPick={state.add} isFolder />
          <Footer state={state} canImport={canImport} onClose={onClose} />
        </div>
      </DialogContent>
    </Dialog>
  )
}

interface ContentProps {
  state: ImportDialogState
  onChoose: () => void
  onChooseFolder: () => void
}

function Content({ state, onChoose, onChooseFolder }: ContentProps) {
  const { files, report, done, undone, isUndoing } = state
  if (done !== null) {
    const undo = () => done.id !== null && void state.undo(done.id)
    return <DoneView outcome={done} undone={undone} isUndoing={isUndoing} onUndo={undo} />
  }
  if (undone !== null) {
    const nothing = { id: null, files: [], items: [], losses: [], lossCount: 0 }
    return <DoneView outcome={nothing} undone={undone} isUndoing={false} onUndo={() => undefined} />
  }
  if (files.length === 0) {
    return (
      <StartView
        onChoose={onChoose}
        onChooseFolder={onChooseFolder}
        onPaste={state.paste}
        onUndo={(id) => void state.undo(id)}
        onReport={(id) => void state.download(id)}
        isUndoing={isUndoing}
      />
    )
  }
  return (
    <>
      <FileStrip files={files} read={report?.files} onRemove={state.remove} onChoose={onChoose} />
      {state.passedOver.length > 0 && (
        <p role="note" className="px-5 text-sm text-text-2 wrap-anywhere">
          Skipped, because they contain no prompt: {listedNames(state.passedOver)}
        </p>
      )}
      {state.readError ? (
        <ErrorState title="The files could not be read" error={state.readError} onRetry={state.retry} />
      ) : report === undefined ? (
        <ReportSkeleton />
      ) : (
        <ImportReport state={state} report={report} />
      )}
    </>
  )
}

function ReportSkeleton() {
  return (
    <div role="status" aria-label="Reading the files" className="grid gap-3 px-5 py-3">
      <Skeleton className="h-[76px] rounded-card" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  )
}

function Footer({
  state,
  canImport,
  onClose,
}: {
  state: ImportDialogState
  canImport: boolean
  onClose: () => void
}) {
  const { files, report, done, undone, plan, isImporting } = state
  const hasReport =
    done === null ? report !== undefined && report.lossCount > 0 : done.id !== null && undone === null
  const isOver = done !== null || undone !== null
  return (
    <DialogFooter
      start={
        !isOver &&
        report && (
          <p className="text-sm text-text-2" role="status">
            {sentenceOf(plan)} {plan.total > 0 && 'You can undo the whole import for a day.'}
          </p>
        )
      }
    >
      {hasReport && (
        <Button variant="ghost" onClick={() => void state.download(done?.id ?? null)}>
          <DownloadIcon />
          Report
        </Button>
      )}
      <Button variant="secondary" disabled={isImporting} onClick={onClose}>
        {isOver ? 'Close' : 'Cancel'}
      </Button>
      {!isOver && files.length > 0 && (
        <Button disabled={!canImport} pending={isImporting} onClick={() => void state.submit()}>
          {isImporting
            ? 'Importing...'
            : `Import${plan.total > 0 ? ` ${plan.total.toLocaleString('en')}` : ''}`}
          {!isImporting && <ShortcutKeys id="submit" />}
        </Button>
      )}
    </DialogFooter>
  )
}

function Picker({
  label,
  refTo,
  onPick,
  isFolder = false,
}: {
  label: string
  refTo: RefObject<HTMLInputElement | null>
  onPick: (files: readonly File[]) => void
  isFolder?: boolean
}) {
  return (
    <input
      ref={refTo}
      type="file"
      multiple
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      {...(isFolder ? { webkitdirectory: '' } : {})}
      onChange={(event) => {
        onPick([...(event.target.files ?? [])])
        // The same file again is a choice, too.
        event.target.value = ''
      }}
    />
  )
}
