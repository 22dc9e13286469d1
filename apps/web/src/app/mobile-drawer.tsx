import { Sheet, SheetContent, SheetTitle } from '../components/ui/sheet.tsx'
import { Sidebar } from './sidebar.tsx'

/** The sidebar on phones. */
export default function MobileDrawer({ onClose }: { onClose: () => void }) {
  return (
    <Sheet open onOpenChange={(open) => open || onClose()}>
      <SheetContent>
        <SheetTitle className="sr-only">Menu</SheetTitle>
        <Sidebar inDrawer onNavigate={onClose} className="flex-1" />
      </SheetContent>
    </Sheet>
  )
}
