import { AsksPage } from '../../features/asks/asks-page.tsx'

export default function AsksRoute() {
  return <AsksPage />
}
