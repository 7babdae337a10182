/**
 * Where Pulumi searches for the plugin of a version when none is installed: the releases of a repository. Pulumi reads
 * those of GitHub by its API; of other hosts it downloads `pulumi-resource-svc-vVERSION-OS-ARCH.tar.gz` from a folder.
 */
export function pluginDownloadUrl(repository: string): string {
  const { host, pathname } = new URL(repository)
  return host === 'github.com' ? `github://api.github.com${pathname}` : `${repository}/releases/download/v\${VERSION}`
}
