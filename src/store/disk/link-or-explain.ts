// Gives a file a second name, or explains that the file system has no hard links.
import type { FilePort } from "./file-port.ts"
import { errnoOf, StoreError } from "./store-error.ts"

/** The answers of file systems without hard links: FAT and exFAT, some FUSE and network mounts. */
const WITHOUT_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])

/** A second name for a file; false if that name exists. Throws a `StoreError` (`no-hard-links`) if the file system has none. */
export async function linkOrExplain(files: FilePort, from: string, to: string): Promise<boolean> {
  try {
    return await files.link(from, to)
  } catch (error) {
    const errno = errnoOf(error) ?? ""
    if (!WITHOUT_LINKS.has(errno)) throw error
    throw new StoreError({
      code: "no-hard-links",
      expected: `${to} to be on a file system with hard links`,
      found: errno,
      todo: "Nothing was changed. Keep the project on a local disk (ext4, xfs, btrfs, APFS, NTFS, tmpfs).",
      cause: error,
    })
  }
}
