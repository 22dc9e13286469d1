import { MonitorIcon, MoonIcon, SunIcon } from 'lucide-react'
import { Dialog, DialogBody, DialogContent, DialogHeader, DialogTitle } from '../components/ui/dialog.tsx'
import { SegmentedControl, SegmentedControlItem } from '../components/ui/segmented-control.tsx'
import { useTheme } from '../lib/theme.ts'

/** What a person sets for themselves. */
export default function SettingsDialog({ onClose }: { onClose: () => void }) {
  const [theme, setTheme] = useTheme()
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent className="max-w-[460px]">
        <DialogHeader>
          <DialogTitle>Settings</DialogTitle>
        </DialogHeader>
        <DialogBody>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <div>
              <h3 className="text-sm font-medium">Theme</h3>
              <p className="text-xs text-text-3">Kept on this device</p>
            </div>
            <SegmentedControl aria-label="Theme" value={theme} onValueChange={setTheme}>
              <SegmentedControlItem value="system">
                <MonitorIcon />
                System
              </SegmentedControlItem>
              <SegmentedControlItem value="light">
                <SunIcon />
                Light
              </SegmentedControlItem>
              <SegmentedControlItem value="dark">
                <MoonIcon />
                Dark
              </SegmentedControlItem>
            </SegmentedControl>
          </div>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}
