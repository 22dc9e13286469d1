import { ChevronRightIcon } from 'lucide-react'
import { Link } from 'wouter'
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'
import { DebugMode } from '../../features/admin/general-panel.tsx'

const DESCRIPTION_ID = 'admin-settings-description'

export default function AdminSettingsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent className="max-w-[460px]" aria-describedby={DESCRIPTION_ID}>
        <DialogHeader>
          <DialogTitle>Admin Settings</DialogTitle>
          <DialogDescription id={DESCRIPTION_ID}>Configure system-wide admin settings</DialogDescription>
        </DialogHeader>
        <DialogBody>
          <DebugMode />
        </DialogBody>
        <Link
          href="/settings"
          data-first-focus
          onClick={onClose}
          className="flex min-h-11 shrink-0 items-center border-t border-line px-5 text-sm font-medium hover:bg-hover"
        >
          <span className="flex-1">All settings</span>
          <ChevronRightIcon className="size-4 text-text-3" />
        </Link>
      </DialogContent>
    </Dialog>
  )
}
