import { Sheet, SheetContent, SheetTitle } from '../../components/ui/sheet.tsx'
import { useAppDialogs } from '../dialogs/app-dialogs.ts'
import { Sidebar } from './sidebar.tsx'

export default function MobileDrawer({ onClose }: { onClose: () => void }) {
  const { open } = useAppDialogs()
  const openPalette = () => {
    onClose()
    open('palette')
  }
  return (
    <Sheet open onOpenChange={(open) => open || onClose()}>
      <SheetContent>
        <SheetTitle className="sr-only">Menu</SheetTitle>
        <Sidebar inDrawer onNavigate={onClose} onOpenPalette={openPalette} className="flex-1" />
      </SheetContent>
    </Sheet>
  )
}
