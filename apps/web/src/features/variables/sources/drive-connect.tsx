import { useQuery } from '@tanstack/react-query'
import { KeyRoundIcon } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { driveStatusQuery } from './google-drive.queries.ts'
import { useDriveWindows } from './use-drive-windows.ts'

export function DriveConnect({ onConnected }: { onConnected: () => void }) {
  const { data: status, refetch } = useQuery(driveStatusQuery)
  const { connect } = useDriveWindows({
    async onConnected() {
      const { data } = await refetch()
      if (data?.authenticated) onConnected()
    },
  })
  if (!status?.configured || status.authenticated) return null
  return (
    <Button variant="secondary" size="sm" onClick={connect}>
      <KeyRoundIcon />
      Connect Google Drive
    </Button>
  )
}
