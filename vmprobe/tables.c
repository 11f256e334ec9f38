// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables as files of debugfs. A table's header and rows are streamed one at a
 * time; a reader holds the lock that attaching, detaching and resetting take only
 * while a buffer is being filled, never the handlers. An open file pins the module.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "probe.h"
#include "tables.h"

#define MAX_WRITE	(VMP_NAME_MAX + 2)

static struct dentry *dir;

/* Position 0 is the header, every other one a row. */
static void *table_start(struct seq_file *m, loff_t *pos)
{
	const struct vmp_table *t = m->private;

	mutex_lock(&vmp_probes.lock);
	if ((u64)*pos > t->rows())
		return NULL;
	if (t->prepare)
		t->prepare(!*pos);
	return pos;
}

static void *table_next(struct seq_file *m, void *v, loff_t *pos)
{
	const struct vmp_table *t = m->private;

	++*pos;
	return (u64)*pos > t->rows() ? NULL : pos;
}

static void table_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&vmp_probes.lock);
}

static int table_show(struct seq_file *m, void *v)
{
	const struct vmp_table *t = m->private;
	u64 pos = *(loff_t *)v;
	int ret;

	if (!pos) {
		if (!t->columns)
			return SEQ_SKIP;
		seq_printf(m, "# vmprobe %d %s\n%s\n", VMP_FORMAT, t->name, t->columns);
		return 0;
	}
	ret = t->show(m, pos - 1);
	if (!ret)
		seq_putc(m, '\n');
	return ret;
}

static const struct seq_operations table_seq = {
	.start = table_start,
	.next = table_next,
	.stop = table_stop,
	.show = table_show,
};

static int table_open(struct inode *inode, struct file *file)
{
	int err = seq_open(file, &table_seq);

	if (!err)
		((struct seq_file *)file->private_data)->private = inode->i_private;
	return err;
}

/* One write is one whole change; anything else changes nothing. */
static ssize_t table_write(struct file *file, const char __user *from, size_t count,
			   loff_t *pos)
{
	const struct vmp_table *t = ((struct seq_file *)file->private_data)->private;
	char text[MAX_WRITE + 1];
	size_t len = count;
	int err;

	if (!t->change)
		return -EPERM;
	if (!count || count > MAX_WRITE)
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	if (text[len - 1] == '\n')
		len--;
	text[len] = '\0';
	if (!len || strlen(text) != len)
		return -EINVAL;

	mutex_lock(&vmp_probes.lock);
	err = t->change(text);
	mutex_unlock(&vmp_probes.lock);
	return err ?: count;
}

static const struct file_operations table_fops = {
	.owner = THIS_MODULE,
	.open = table_open,
	.read = seq_read,
	.write = table_write,
	.llseek = seq_lseek,
	.release = seq_release,
};

static int add_tables(const struct vmp_table *t, u32 n)
{
	struct dentry *file;

	for (; n; n--, t++) {
		file = debugfs_create_file(t->name, t->change ? 0600 : 0400, dir,
					   (void *)t, &table_fops);
		if (IS_ERR(file))
			return PTR_ERR(file);
	}
	return 0;
}

/**
 * vmp_tables_init() - make the directory and its files
 *
 * Context: may sleep; everything that rows read is in place.
 * Return: 0 or a negative error; nothing is left then. A kernel without debugfs
 * is an error, since there would be no way to see anything.
 */
int vmp_tables_init(void)
{
	int err;

	dir = debugfs_create_dir(VMP_DIR, NULL);
	if (IS_ERR(dir)) {
		err = PTR_ERR(dir);
		dir = NULL;
		pr_err("cannot make debugfs directory %s: error %d\n", VMP_DIR, err);
		return err;
	}
	/* debugfs makes directories for everyone to look into. */
	inode_lock(d_inode(dir));
	d_inode(dir)->i_mode = S_IFDIR | 0700;
	inode_unlock(d_inode(dir));

	err = add_tables(vmp_keyed_tables, vmp_nr_keyed_tables);
	if (!err)
		err = add_tables(vmp_state_tables, vmp_nr_state_tables);
	if (!err)
		err = add_tables(vmp_stack_tables, vmp_nr_stack_tables);
	if (!err)
		err = add_tables(vmp_memory_tables, vmp_nr_memory_tables);
	if (err)
		vmp_tables_exit();
	return err;
}

/**
 * vmp_tables_exit() - remove the files
 *
 * Context: may sleep. When it returns, nobody reads a table any more.
 */
void vmp_tables_exit(void)
{
	debugfs_remove_recursive(dir);
	dir = NULL;
}
